import { sql } from '@icosa/kernel'
import { dropPhysical } from '@icosa/sql-databases/testing/app'
import {
  createTestDatabase,
  credentialsFor,
  example,
  seedNotes,
  startPgBouncer,
  startTestApp,
  withoutPgBouncer,
} from '@icosa/testing'
import { expect, test } from 'vitest'
import { fill, services } from '../tenants/filled.ts'

test.skipIf(withoutPgBouncer)(
  'all services work behind PgBouncer in transaction mode, and after its restart',
  async () => {
    await using testDatabase = await createTestDatabase(services)
    await using bouncer = await startPgBouncer(testDatabase.url)
    await using app = await startTestApp({ services, databaseUrl: bouncer.url, databaseDirectUrl: testDatabase.url })
    const { database } = app.platform
    await using closing = new AsyncDisposableStack()
    closing.defer(() => dropPhysical(database))
    await fill(app, 'ada')

    const readiness = () => fetch(`${app.url}/readyz`).then(({ status }) => status)
    await bouncer.stop()
    await expect.poll(readiness).toBe(503)
    await bouncer.start()
    await expect.poll(readiness).toBe(200)
    await seedNotes(await credentialsFor(app, example, 'bob'), app)
    await app.jobs.drain()

    const sessions = await database.many<{ name: string; count: number }>(sql`
    select application_name as name, count(*)::int from pg_stat_activity
    where datname = current_database() group by 1 order by 1`)
    console.log(sessions)
    expect(sessions).toContainEqual({ name: 'icosa listener', count: 1 })
    const left = await database.many(sql`select name from pg_prepared_statements`)
    expect(left, 'prepared statements left in a session').toEqual([])
  },
)
