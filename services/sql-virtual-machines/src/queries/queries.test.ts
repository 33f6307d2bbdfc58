import { expect, test } from 'vitest'
import { queries } from '../contract.ts'
import { startMachinesApp } from '../testing/app.ts'
import { tenantOf } from '../testing/tenant.ts'

test('a statement runs on a machine as its owner, and on those of no other tenant', { timeout: 120_000 }, async () => {
  await using app = await startMachinesApp()
  const tenant = await tenantOf(app, 'alice')
  const runAs = (headers: Record<string, string>) => {
    const client = app.client(queries, { headers })
    return async (statement: string, more: { write?: boolean; database?: string } = {}) =>
      (await client.run({ ...tenant.machine('first'), body: { statement, ...more } })).body
  }
  const run = runAs(tenant.headers)
  await expect(run('select 1')).rejects.toMatchObject({ status: 404 })
  await tenant.machines.createOrUpdate({ ...tenant.machine('first'), body: { location: 'westeurope' } })
  await expect(run('select 1'), 'it is being created').rejects.toMatchObject({ status: 409 })
  await app.jobs.drain()

  expect(await run('select current_user::text, current_database()::text')).toMatchObject({
    rows: [['machine', 'main']],
  })
  await run('create table lines (id int)', { write: true })
  await expect(run('insert into lines values (1)')).rejects.toMatchObject({ status: 400 })
  expect(await run('insert into lines values (1)', { write: true })).toMatchObject({ affected: 1 })
  expect((await run('select * from lines')).rows).toEqual([['1']])

  expect((await run('select count(*) from pg_database', { database: 'postgres' })).rows).toHaveLength(1)
  await expect(run('select 1', { database: 'nothing' })).rejects.toMatchObject({ status: 400 })
  for (const statement of [`copy lines to program 'cat'`, `select pg_read_file('/etc/passwd')`, 'create role other'])
    await expect(run(statement, { write: true }), statement).rejects.toMatchObject({ status: 400 })
  const other = await tenantOf(app, 'bob')
  await expect(runAs(other.headers)('select 1')).rejects.toMatchObject({ status: 404 })
})
