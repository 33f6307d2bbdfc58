import { statfs } from 'node:fs/promises'
import { type BlobState, type Blobs, Outage } from '@icosa/kernel'

/** How long a state is taken for current. A bucket is asked by writing to it, which is not for free. */
export const currentMs = { directory: 5_000, s3: 60_000 } as const

/** The last known state, which is looked up again in the background when it is older than that: nothing waits for a slow store. */
export function stateOf(look: () => Promise<BlobState>, forMs: number): () => BlobState {
  let known: BlobState = 'ready'
  let askedAt = Number.NEGATIVE_INFINITY

  async function refresh(): Promise<void> {
    known = await look().catch(() => 'unreachable')
  }

  return () => {
    if (performance.now() - askedAt >= forMs) {
      askedAt = performance.now()
      void refresh()
    }
    return known
  }
}

export async function directoryState(directory: string, minFreeBytes: number): Promise<BlobState> {
  const { bavail, bsize } = await statfs(directory)
  return bavail * bsize < minFreeBytes ? 'full' : 'ready'
}

const probeKey = 'icosa-probe'

/** Puts and deletes an object, as an upload would. */
export async function bucketState(blobs: Blobs): Promise<BlobState> {
  await blobs.put(probeKey, new Uint8Array(1))
  await blobs.delete(probeKey)
  return 'ready'
}

/** Refuses new objects before the disk is full to the last byte: other things may live on it, too. */
export function refusingWhenFull<B extends Blobs>(blobs: B, state: () => BlobState): B {
  return {
    ...blobs,
    async put(...upload) {
      if (state() === 'full')
        throw new Outage('The blob store is full: nothing can be uploaded until the operator makes room.', {
          retryAfterSeconds: 60,
        })
      return blobs.put(...upload)
    },
  }
}
