import { statfs } from 'node:fs/promises'
import { type BlobState, type Blobs, Outage } from '@icosa/kernel'

/** How long a state is current. Probing a bucket means writing to it, which costs money. */
export const currentMs = { directory: 5_000, s3: 60_000 } as const

/** Returns the last known state, and refreshes a stale one in the background: a slow store delays nothing. */
export function stateOf(probe: () => Promise<BlobState>, forMs: number): () => BlobState {
  let state: BlobState = 'ready'
  let probedAt = Number.NEGATIVE_INFINITY

  async function refresh(): Promise<void> {
    state = await probe().catch(() => 'unreachable')
  }

  return () => {
    if (performance.now() - probedAt >= forMs) {
      probedAt = performance.now()
      void refresh()
    }
    return state
  }
}

export async function directoryState(directory: string, minFreeBytes: number): Promise<BlobState> {
  const { bavail, bsize } = await statfs(directory)
  return bavail * bsize < minFreeBytes ? 'full' : 'ready'
}

const probeKey = 'icosa-probe'

/** Probes by writing and deleting an object. */
export async function bucketState(blobs: Blobs): Promise<BlobState> {
  await blobs.put(probeKey, new Uint8Array(1))
  await blobs.delete(probeKey)
  return 'ready'
}

/** Refuses new objects before the disk is completely full: other programs may use it. */
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
