import { randomUUID } from 'node:crypto'
import { Failure, type JobContext } from '@icosa/kernel'
import { versionOf } from '../host/dump-store.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { readWatermark, superuserOf } from './host-store.ts'
import { openReplication } from './replication.ts'
import { archiveKeyOf, sealStream } from './sealing.ts'
import { openSession } from './session.ts'
import * as store from './store.ts'

export const baseBackupKey = (epoch: number, id: string) => `archive/${epoch}/bases/${id}`

/** Stores a base backup of the server in the active archive. */
export async function takeBaseBackup(context: JobContext<ServiceRuntime>, url: string): Promise<void> {
  const { db, cellVault, blobs, clock, signal } = context
  const archive = await store.activeArchive(db)
  if (!archive) throw new Failure('unavailable', 'WAL of the SQL host is not being received yet.')
  using connection = await openReplication(url)
  const { system, timeline } = await connection.identify()
  if (system !== archive.system || timeline !== archive.timeline)
    throw new Failure('unavailable', 'The SQL host has changed: its WAL is not being received yet.')
  const id = randomUUID()
  const key = baseBackupKey(archive.epoch, id)
  const { start, content } = await connection.baseBackup()
  const abort = () => content.destroy(new Error('The base backup was stopped.'))
  signal.addEventListener('abort', abort, { once: true })
  try {
    const { size } = await blobs.shared.put(key, sealStream(archiveKeyOf(cellVault), key, content))
    const server = await describeServer(url)
    const row = { ...server, epoch: archive.epoch, id, start, bytes: size, createdAt: clock.now() }
    await context.transaction((last) => store.addBaseBackup(last, row))
  } catch (error) {
    await blobs.shared.delete(key)
    throw error
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

/** To be called after the base backup has ended, from when on it is usable. */
async function describeServer(url: string) {
  await using session = await openSession({ connectionString: url })
  const { at } = await readWatermark(session)
  const { major } = await versionOf(session)
  // PostgreSQL has microseconds and Date milliseconds: the next one is certainly after the end.
  return { usableFrom: new Date(at.getTime() + 1), superuser: await superuserOf(session), major }
}
