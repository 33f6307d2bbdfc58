import { sql } from '@icosa/kernel'
import { createTestDatabase } from '@icosa/testing'
import { expect, test } from 'vitest'
import { functionsService } from '../index.ts'
import { hello, startFunctions, testSettings } from '../testing/app.ts'

test('the minimum of instances is restored after an outage of all nodes, without a request', async () => {
  await using database = await createTestDatabase([functionsService(testSettings())])
  const options = { databaseUrl: database.url }
  {
    await using app = await startFunctions({}, options)
    const acme = await app.tenant()
    const body = { serviceConfig: { minInstanceCount: 1 } }
    expect((await acme.deploy('kept', hello, { body })).response).toMatchObject({ state: 'ACTIVE' })
    expect((await acme.deploy('asleep', hello)).response).toMatchObject({ state: 'ACTIVE' })
  }
  await using app = await startFunctions({}, options)
  const running = () =>
    app.platform.database.many(sql`select distinct r.function from functions.instances as i
      join functions.revisions as r on r.tenant = i.tenant and r.id = i.revision`)
  expect(await running()).toEqual([])
  await app.clock.advance(60_000)
  await app.jobs.drain()
  expect(await running()).toEqual([{ function: 'kept' }])
})
