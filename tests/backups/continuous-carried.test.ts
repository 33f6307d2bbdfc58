import { dirname } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findPostgresBinaries } from '../../apps/server/src/dev/postgres-binaries.ts'
import { type OwnPostgres, ownPostgres } from '../chaos/own-postgres.ts'
import { type ContinuousWorld, startContinuous, timeOf } from './continuous-world.ts'

let host: OwnPostgres
let world: ContinuousWorld
beforeAll(async () => {
  host = await ownPostgres()
  const programs = dirname((await findPostgresBinaries()).postgres)
  world = await startContinuous({ adminUrl: host.url, archiveUrl: host.url, programs })
  await world.startWorker()
}, 180_000)
afterAll(async () => {
  await world?.[Symbol.asyncDispose]()
  await host?.[Symbol.asyncDispose]()
})

test('the development server is archived by its superuser and replayed by the bundled programs', async () => {
  const acme = await world.database('acme', 'orders')
  const point = await world.keep('orders')
  await using session = await acme.connect('orders')
  await session.query('create table notes (text text)')
  await session.query("insert into notes values ('before')")
  const then = await timeOf(session)
  await session.query("update notes set text = 'after'")
  await world.reaches(point, new Date(then.getTime() + 1_000))
  const job = await world.startRestore(point, { RestoreTime: then.toISOString(), databaseName: 'then' })
  expect(await world.outcome(job)).toBe('COMPLETED')
  const latest = await world.startRestore(point, { UseLatestRestorableTime: 'true', databaseName: 'now' })
  expect(await world.outcome(latest)).toBe('COMPLETED')
  const textIn = async (name: string) => {
    await using restored = await acme.connect(name)
    return (await restored.query('select text from notes')).rows
  }
  expect([await textIn('then'), await textIn('now')]).toEqual([[{ text: 'before' }], [{ text: 'after' }]])
}, 300_000)
