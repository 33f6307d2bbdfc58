import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { type Blobs, Failure, type JobContext } from '@icosa/kernel'
import type { Account } from '@icosa/module'
import { segmentName, segmentOf } from '../archive/lsn.ts'
import { pieceKey } from '../archive/receiver.ts'
import { archiveKeyOf, openBytes } from '../archive/sealing.ts'
import * as store from '../archive/store.ts'
import { give } from './account.ts'
import { makeFolder } from './private-server.ts'

/** So that something after the time is most likely among what is replayed: then it is replayed once. */
const slackMs = 3_000

type Context = Pick<JobContext, 'db' | 'vault' | 'signal'> & {
  readonly blobs: { readonly shared: Pick<Blobs, 'get'> }
}

/** The files of the log as the server asks for them. What is not there of the last one is zeros, and ends it. */
export async function writeLog(
  base: Pick<store.Base, 'epoch' | 'start'>,
  at: Date,
  folder: string,
  account: Account | undefined,
  context: Context,
): Promise<void> {
  const { db, signal } = context
  const archive = (await store.all(db)).find(({ epoch }) => epoch === base.epoch) ?? nowhere(at)
  const { segmentBytes, timeline } = archive
  const until = new Date(at.getTime() + slackMs)
  await makeFolder(join(folder, 'wal'), account)
  let pieces = await store.piecesFrom(db, base.epoch, segmentOf(base.start, segmentBytes), until)
  for (let gone: string | undefined, piece = pieces.shift(); piece; piece = pieces.shift()) {
    signal.throwIfAborted()
    const name = pieceKey(base.epoch, piece.id)
    const segment = segmentOf(piece.start, segmentBytes)
    const bytes = await readPiece(name, context)
    if (bytes) {
      const path = join(folder, 'wal', segmentName(timeline, segment, segmentBytes))
      await writeInto(path, bytes, Number(piece.start - segment), segmentBytes)
      await give(path, account)
    } else if (name === gone) throw new Failure('internal', `A piece of the log is missing: ${name}`)
    else {
      // The pieces of a file have been put together since we asked: what is in their place begins with the file.
      gone = name
      pieces = await store.piecesFrom(db, base.epoch, segment, until)
    }
  }
}

async function writeInto(path: string, bytes: Buffer, offset: number, size: number): Promise<void> {
  const file = await open(path, 'a', 0o600).then((made) => made.close().then(() => open(path, 'r+')))
  try {
    await file.write(bytes, 0, bytes.length, offset)
    await file.truncate(size)
  } finally {
    await file.close()
  }
}

/** Undefined if it is gone. */
async function readPiece(name: string, { blobs, vault }: Context): Promise<Buffer | undefined> {
  try {
    const { body } = await blobs.shared.get(name)
    return await openBytes(archiveKeyOf(vault), name, await buffer(body))
  } catch (error) {
    if (error instanceof Failure && error.kind === 'notFound') return undefined
    throw error
  }
}

export function nowhere(at: Date): never {
  throw new Failure('invalid', `The archive does not lead to ${at.toISOString()}.`)
}
