import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { type Blobs, Failure, type JobContext } from '@icosa/kernel'
import type { Account } from '@icosa/module'
import { segmentName, segmentOf } from '../wal-archive/lsn.ts'
import { walChunkKey } from '../wal-archive/receiver.ts'
import { archiveKeyOf, openBytes } from '../wal-archive/sealing.ts'
import * as store from '../wal-archive/store.ts'
import { give } from './account.ts'
import { makeFolder } from './private-server.ts'

/** Includes a commit after the target time, most likely, so that replay needs only one pass. */
const slackMs = 3_000

type Context = Pick<JobContext, 'db' | 'cellVault' | 'signal'> & {
  readonly blobs: { readonly shared: Pick<Blobs, 'get'> }
}

/** Writes WAL segment files for replay. The last one is padded with zeros, which end it. */
export async function writeWalSegments(
  base: Pick<store.BaseBackup, 'epoch' | 'start'>,
  at: Date,
  folder: string,
  account: Account | undefined,
  context: Context,
): Promise<void> {
  const { db, signal } = context
  const archive = (await store.archives(db)).find(({ epoch }) => epoch === base.epoch) ?? unrecoverable(at)
  const { segmentBytes, timeline } = archive
  const until = new Date(at.getTime() + slackMs)
  await makeFolder(join(folder, 'wal'), account)
  let chunks = await store.chunksFrom(db, base.epoch, segmentOf(base.start, segmentBytes), until)
  for (let missing: string | undefined, chunk = chunks.shift(); chunk; chunk = chunks.shift()) {
    signal.throwIfAborted()
    const name = walChunkKey(base.epoch, chunk.id)
    const segment = segmentOf(chunk.start, segmentBytes)
    const bytes = await readChunk(name, context)
    if (bytes) {
      const path = join(folder, 'wal', segmentName(timeline, segment, segmentBytes))
      await writeInto(path, bytes, Number(chunk.start - segment), segmentBytes)
      await give(path, account)
    } else if (name === missing) throw new Failure('internal', `A chunk of the WAL is missing: ${name}`)
    else {
      // The segment's chunks were merged since they were listed: their replacement begins with the segment.
      missing = name
      chunks = await store.chunksFrom(db, base.epoch, segment, until)
    }
  }
}

async function writeInto(path: string, bytes: Buffer, offset: number, size: number): Promise<void> {
  const file = await open(path, 'a', 0o600).then((handle) => handle.close().then(() => open(path, 'r+')))
  try {
    await file.write(bytes, 0, bytes.length, offset)
    await file.truncate(size)
  } finally {
    await file.close()
  }
}

/** Returns undefined if the blob does not exist. */
async function readChunk(name: string, { blobs, cellVault }: Context): Promise<Buffer | undefined> {
  try {
    const { body } = await blobs.shared.get(name)
    return await openBytes(archiveKeyOf(cellVault), name, await buffer(body))
  } catch (error) {
    if (error instanceof Failure && error.kind === 'notFound') return undefined
    throw error
  }
}

export function unrecoverable(at: Date): never {
  throw new Failure('invalid', `The archive cannot be recovered to ${at.toISOString()}.`)
}
