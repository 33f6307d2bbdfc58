import { startTestApp } from '@icosa/testing'
import { expect, test } from 'vitest'
import { defaultSettings, type SqlSettings, sqlDatabases } from '../index.ts'
import { startSqlApp } from '../testing/app.ts'
import { idOf, tenantOf } from '../testing/tenant.ts'
import type { Database } from './contract.ts'

const refusal = (status: number, code: string) => ({ status, body: { error: { code } } })

test('rejects unsupported properties by name', async () => {
  await using app = await startSqlApp()
  const { create } = await tenantOf(app, 'acme')
  const unsupported: [Database['properties'] & object, string][] = [
    [{ createMode: 'RestoreLongTermRetentionBackup' }, 'createMode RestoreLongTermRetentionBackup'],
    [{ createMode: 'RestoreExternalBackup' }, 'createMode RestoreExternalBackup'],
    [{ createMode: 'Secondary', sourceDatabaseId: idOf('a') }, 'createMode Secondary'],
    [{ readScale: 'Enabled' }, 'readScale'],
    [{ zoneRedundant: true }, 'zoneRedundant'],
    [{ autoPauseDelay: 60 }, 'autoPauseDelay'],
    [{ collation: 'Thai_CI_AS' }, 'Thai_CI_AS'],
  ]
  for (const [properties, name] of unsupported)
    await expect(create('orders', { properties })).rejects.toMatchObject({
      status: 501,
      body: { error: { code: 'NotImplemented', message: expect.stringContaining(name) } },
    })
})

test("rejects contradictions and unknown names with the original's error codes", async () => {
  await using app = await startSqlApp()
  const { create, client, of } = await tenantOf(app, 'acme')
  const pool = (server: string) =>
    `/subscriptions/main/resourceGroups/web/providers/Vendor.Sql/servers/${server}/elasticPools/p`
  const restorePointInTime = '2026-01-01T00:00:00Z'
  const wrong: [Partial<Database>, string][] = [
    [{ sku: { name: 'S99' } }, 'InvalidSkuName'],
    [{ sku: { name: 'S1', tier: 'Premium' } }, 'MismatchedSkuNameAndTier'],
    [{ sku: { name: 'BC_Gen4_2', capacity: 4 } }, 'MismatchedSkuNameAndCapacity'],
    [{ sku: { name: 'GP_Gen5_2', family: 'Gen4' } }, 'MismatchedSkuNameAndFamily'],
    [{ sku: { name: 'Basic' }, properties: { maxSizeBytes: 3 * 1024 ** 3 } }, 'InvalidMaxSizeTierCombination'],
    [{ sku: { name: 'ElasticPool' } }, 'ElasticPoolSkuCombinationInvalid'],
    [{ sku: { name: 'S0' }, properties: { elasticPoolId: pool('eu-1') } }, 'ElasticPoolSkuCombinationInvalid'],
    [{ properties: { elasticPoolId: pool('other') } }, 'MismatchingServerNameWithUrl'],
    [{ properties: { elasticPoolId: 'small' } }, 'InvalidResourceId'],
    [{ properties: { collation: 'klingon' } }, 'InvalidCollation'],
    [{ properties: { createMode: 'Copy' } }, 'MissingSourceDatabaseId'],
    [{ properties: { createMode: 'Copy', sourceDatabaseId: 'orders' } }, 'InvalidSourceDatabaseId'],
    [{ properties: { createMode: 'PointInTimeRestore', sourceDatabaseId: idOf('a') } }, 'MissingRestorePointInTime'],
    [{ properties: { createMode: 'PointInTimeRestore', restorePointInTime } }, 'MissingSourceDatabaseId'],
    [
      { properties: { createMode: 'PointInTimeRestore', restorePointInTime, sourceDatabaseId: idOf('a') } },
      'SourceDatabaseNotFound',
    ],
    [{ properties: { createMode: 'Restore' } }, 'MissingSourceDatabaseId'],
    [{ properties: { createMode: 'Restore', sourceDatabaseId: idOf('a') } }, 'MissingSourceDatabaseDeletionDate'],
    [{ properties: { createMode: 'Restore', restorableDroppedDatabaseId: idOf('a') } }, 'InvalidSourceDatabaseId'],
    [{ properties: { createMode: 'Recovery', sourceDatabaseId: 'orders' } }, 'InvalidSourceDatabaseId'],
    [{ properties: { createMode: 'Copy', sourceDatabaseId: idOf('a'), restorePointInTime } }, 'InvalidRequestContent'],
    [{ properties: { restorePointInTime } }, 'InvalidRequestContent'],
    [{ properties: { maxConnections: 11 } }, 'InvalidRequestContent'],
    [{ properties: { sourceDatabaseId: idOf('sales') } }, 'InvalidRequestContent'],
    [{ properties: { nonsense: 1 } as object }, 'InvalidRequestContent'],
    [{ tags: { team: 'a\0b' } }, 'InvalidRequestContent'],
    [{ tags: { team: '\ud800' } }, 'InvalidRequestContent'],
    [{ location: 'west\0europe' }, 'InvalidRequestContent'],
  ]
  for (const [body, code] of wrong) await expect(create('orders', body), code).rejects.toMatchObject(refusal(400, code))

  await create('orders')
  await create('sales')
  const rename = (id: string) => client.rename({ ...of('orders'), body: { id } })
  await expect(rename(idOf('SALES'))).rejects.toMatchObject(refusal(409, 'DatabaseNameInUse'))
  await expect(rename('sales')).rejects.toMatchObject(refusal(400, 'InvalidMoveTargetResourceId'))
  await expect(rename(idOf('new').replace('/Web/', '/api/'))).rejects.toMatchObject(
    refusal(400, 'MismatchingResourceGroupNameWithUrl'),
  )
  for (const properties of [{ createMode: 'Copy' as const }, { restorePointInTime }]) {
    const update = client.update({ ...of('orders'), body: { properties } })
    await expect(update).rejects.toMatchObject(refusal(400, 'InvalidRequestContent'))
  }
  expect((await rename(idOf('ORDERS'))).status).toBe(200)
  expect((await client.get(of('orders'))).body.name).toBe('ORDERS')
})

test('upgrades only data warehouses, to the second generation of their tier', async () => {
  await using app = await startSqlApp()
  const { create, client, of, read, connect } = await tenantOf(app, 'acme')
  await create('orders')
  await expect(client.upgradeDataWarehouse(of('orders'))).rejects.toMatchObject(
    refusal(400, 'FeatureDisabledOnSelectedEdition'),
  )
  await create('figures', { sku: { name: 'DW200' } })
  await using connection = await connect('figures')
  await connection.query('create table figures as select n from generate_series(1, 1000) as n')
  expect((await client.upgradeDataWarehouse(of('figures'))).status).toBe(202)
  expect(await read('figures')).toMatchObject({ properties: { status: 'OnlineChangingDwPerformanceTiers' } })
  await app.jobs.drain()
  expect(await read('figures')).toMatchObject({
    kind: 'v12.0,user,datawarehouse',
    sku: { name: 'DW200c', tier: 'DataWarehouse' },
    properties: { status: 'Online', currentServiceObjectiveName: 'DW200c' },
  })
  const { rows } = await connection.query(`select reltuples::int from pg_class where relname = 'figures'`)
  expect(rows).toEqual([{ reltuples: 1000 }]) // statistics are up to date
  expect((await client.upgradeDataWarehouse(of('figures'))).status).toBe(200)
})

test('without a SQL host, creation fails with the name of the setting', async () => {
  await using app = await startTestApp(sqlDatabases(defaultSettings))
  const { create } = await tenantOf(app, 'acme')
  await expect(create('orders')).rejects.toMatchObject({
    status: 503,
    body: { error: { message: expect.stringContaining('ICOSA_SQL_URL') } },
  })
})

test('a creation that failed on an unreachable SQL host can be retried', async () => {
  await using app = await startSqlApp({ adminUrl: 'postgres://nobody@127.0.0.1:1/none' })
  const { create, client, of, status } = await tenantOf(app, 'acme')
  await create('orders')
  expect(await status('orders')).toBe('Creating')
  for (let attempt = 0; attempt < 10; attempt++) {
    await app.clock.advance(3_600_000)
    await app.jobs.drain()
  }
  expect(await status('orders')).toBe('Inaccessible')
  await expect(client.pause(of('orders'))).rejects.toMatchObject(refusal(409, 'ConflictingDatabaseOperation'))
  expect((await client.createOrUpdate({ ...of('orders'), body: { location: 'westeurope' } })).status).toBe(202)
  expect(await status('orders')).toBe('Creating')
})

test('a restore names the setting without which nothing is archived', async () => {
  const request = async (settings: Partial<SqlSettings>) => {
    await using app = await startSqlApp(settings)
    const { create, read } = await tenantOf(app, 'acme')
    await create('orders')
    expect((await read('orders')).properties).not.toHaveProperty('earliestRestoreDate')
    const restorePointInTime = new Date().toISOString()
    return await create('then', {
      properties: { createMode: 'PointInTimeRestore', sourceDatabaseId: idOf('orders'), restorePointInTime },
    })
  }
  const naming = (setting: string) => ({ status: 503, body: { error: { message: expect.stringContaining(setting) } } })
  await expect(request({})).rejects.toMatchObject(naming('ICOSA_SQL_ARCHIVE_URL'))
  const archiveUrl = 'postgres://127.0.0.1:1/postgres'
  await expect(request({ archiveUrl, retentionDays: 0 })).rejects.toMatchObject(naming('ICOSA_SQL_RETENTION_DAYS'))
})
