import { randomUUID } from 'node:crypto'
import { Failure, type JobContext } from '@icosa/kernel'
import type { Held } from '../held.ts'
import { versionOf } from '../host/dump-store.ts'
import { markOf, superuserOf } from './host-store.ts'
import { openReplication } from './replication.ts'
import { archiveKeyOf, sealStream } from './sealing.ts'
import { openSession } from './session.ts'
import * as store from './store.ts'

export const baseKey = (epoch: number, id: string) => `archive/${epoch}/bases/${id}`

/** Copies the whole server into the archive that is being written. */
export async function takeBase(context: JobContext<Held>, url: string): Promise<void> {
  const { db, vault, blobs, clock, signal } = context
  const archive = await store.live(db)
  if (!archive) throw new Failure('unavailable', 'The log of the SQL host is not received yet.')
  using connection = await openReplication(url)
  const { system, timeline } = await connection.identify()
  if (system !== archive.system || timeline !== archive.timeline)
    throw new Failure('unavailable', 'The SQL host has changed: its log is not received yet.')
  const id = randomUUID()
  const key = baseKey(archive.epoch, id)
  const { start, content } = await connection.copy()
  const abort = () => content.destroy(new Error('Copying the SQL host was stopped.'))
  signal.addEventListener('abort', abort, { once: true })
  try {
    const { size } = await blobs.shared.put(key, sealStream(archiveKeyOf(vault), key, content))
    const facts = await factsOf(url)
    const row = { ...facts, epoch: archive.epoch, id, start, bytes: size, createdAt: clock.now() }
    await context.transaction((last) => store.addBase(last, row))
  } catch (error) {
    await blobs.shared.delete(key)
    throw error
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

/** Once the copy has ended. */
async function factsOf(url: string) {
  await using session = await openSession({ connectionString: url })
  const { at } = await markOf(session)
  const { major } = await versionOf(session)
  // Times have milliseconds here, and more of them at the server: the next one is after the copy for sure.
  return { usableFrom: new Date(at.getTime() + 1), superuser: await superuserOf(session), major }
}
