import pg from 'pg'
import { type Answer, statementsOf, until } from './statements.ts'

const server = '/subscriptions/mine/resourceGroups/web/providers/Vendor.Sql/servers/eu'
const version = 'api-version=2017-10-01-preview'
const location = 'westeurope'
const idOf = (name: string) => `${server}/databases/${name}`

/** Unsupported properties, by the name in their refusal. */
const unbuiltProperties = {
  Secondary: { createMode: 'Secondary', sourceDatabaseId: idOf('orders') },
  OnlineSecondary: { createMode: 'OnlineSecondary', sourceDatabaseId: idOf('orders') },
  RestoreExternalBackup: { createMode: 'RestoreExternalBackup' },
  RestoreExternalBackupSecondary: { createMode: 'RestoreExternalBackupSecondary' },
  RestoreLongTermRetentionBackup: { createMode: 'RestoreLongTermRetentionBackup' },
  catalogCollation: { catalogCollation: 'SQL_Latin1_General_CP1_CI_AS' },
  readScale: { readScale: 'Enabled' },
  readReplicaCount: { readReplicaCount: 1 },
  zoneRedundant: { zoneRedundant: true },
  minCapacity: { minCapacity: 0.5 },
  autoPauseDelay: { autoPauseDelay: 60 },
}
/** Incomplete requests, by the property that they lack. */
const incompleteProperties = {
  restorePointInTime: { createMode: 'PointInTimeRestore', sourceDatabaseId: idOf('orders') },
  sourceDatabaseId: { createMode: 'Restore' },
  sourceDatabaseDeletionDate: { createMode: 'Restore', sourceDatabaseId: idOf('orders') },
}
const builtProperties = {
  'a sample': { sampleName: 'AdventureWorksLT' },
  'a Finnish collation': { collation: 'Finnish_Swedish_CI_AS' },
  'a Latin collation': { collation: 'SQL_Latin1_General_CP1_CI_AS' },
  licenseType: { licenseType: 'BasePrice' },
  maxSizeBytes: { maxSizeBytes: 2_147_483_648 },
}

statementsOf('Q', ['sql-databases'], async ({ caller, holds, unbuilt }) => {
  const call = caller('sql-databases')
  const of = (name: string, action = '') => `${idOf(name)}${action}?${version}`
  const put = (name: string, body: object) => call('PUT', of(name), { location, sku: { name: 'S0' }, ...body })
  const isDone = ({ status }: Answer) => [200, 201, 202].includes(status)
  const settled = (name: string, isSettled: (properties: Record<string, unknown>) => unknown) =>
    until(async () => {
      const { json } = await call('GET', of(name))
      return json?.properties && isSettled(json.properties) && json.properties
    })
  const online = (name: string) => settled(name, ({ status }) => status === 'Online')
  const credentialsOf = async (name: string) =>
    (await call('POST', of(name, '/listCredentials'))).json?.connectionString
  const query = async (connectionString: string, text: string): Promise<string> => {
    const client = new pg.Client({ connectionString })
    client.on('error', () => {})
    try {
      await client.connect()
      return String(Object.values((await client.query(text)).rows[0] ?? {})[0])
    } catch (error) {
      return `refused: ${(error as Error).message}`
    } finally {
      await client.end().catch(() => {})
    }
  }

  holds('DELETE of what is not there is 204', (await call('DELETE', of('nope'))).status === 204)
  const created = await put('orders', { tags: { a: 'b' } })
  holds('a database is made and comes online', isDone(created) && (await online('orders')), created.text)
  const orders = await credentialsOf('orders')
  await query(orders, 'create table lines as select generate_series(1, 100) as number')
  const count = 'select count(*) from lines'
  holds('PostgreSQL connects to it', (await query(orders, count)) === '100')
  holds('PUT of the same is 200', (await put('orders', { tags: { a: 'b' } })).status === 200)
  const { json: list } = await call('GET', `${server}/databases?${version}`)
  holds(
    'it is listed',
    list.value.some(({ name }: { name: string }) => name === 'orders'),
    list,
  )

  const copied = await put('copy', { properties: { createMode: 'Copy', sourceDatabaseId: idOf('orders') } })
  await online('copy')
  const copy = await credentialsOf('copy')
  holds('a copy has the rows', isDone(copied) && (await query(copy, count)) === '100', copied.text)
  const scaled = await call('PATCH', of('orders'), { sku: { name: 'S1' } })
  const isScaled = await settled('orders', (properties) => properties.currentServiceObjectiveName === 'S1')
  holds('PATCH changes its size', isDone(scaled) && isScaled, scaled.text)
  const paused = await call('POST', of('copy', '/pause'))
  const pausedAt = await settled('copy', ({ status, pausedDate }) => status === 'Paused' && pausedDate)
  const isRefused = (await query(copy, 'select 1')).startsWith('refused')
  holds('a paused one takes no connection', isDone(paused) && pausedAt && isRefused, paused.text)
  const resumed = await call('POST', of('copy', '/resume'))
  await online('copy')
  holds('a resumed one has its rows', isDone(resumed) && (await query(await credentialsOf('copy'), count)) === '100')

  await put('warehouse', { sku: { name: 'DW100' } })
  await online('warehouse')
  const upgraded = await call('POST', of('warehouse', '/upgradeDataWarehouse'))
  const isUpgraded = await settled(
    'warehouse',
    ({ status, currentServiceObjectiveName }) => status === 'Online' && /c$/.test(String(currentServiceObjectiveName)),
  )
  holds('a warehouse is upgraded', isDone(upgraded) && isUpgraded, upgraded.text)
  const moved = await call('POST', of('copy', '/move'), { id: idOf('renamed') })
  const isGone = (await call('GET', of('copy'))).status === 404
  const hasRows = (await query(await credentialsOf('renamed'), count)) === '100'
  holds('a moved one has its rows under the new name alone', moved.status === 200 && isGone && hasRows, moved.text)
  const conflict = await call('POST', of('renamed', '/move'), { id: idOf('orders') })
  holds('it is not moved to a name that is taken', conflict.status === 409, conflict.text)

  const pool = `${server}/elasticPools/pool`
  await call('PUT', `${pool}?${version}`, { location, sku: { name: 'StandardPool', tier: 'Standard', capacity: 50 } })
  const pooled = await until(async () => {
    await call('PATCH', of('renamed'), { properties: { elasticPoolId: pool } })
    const { json } = await call('GET', `${pool}/databases?${version}`)
    return json?.value?.length === 1
  })
  holds('a pool lists its databases', pooled)

  for (const [name, properties] of Object.entries(unbuiltProperties))
    unbuilt(`${name} is not supported`, await put(`no-${name.toLowerCase()}`, { properties }), name)
  unbuilt(
    'a serverless size is not supported',
    await put('serverless', { sku: { name: 'GP_S_Gen5', capacity: 2 } }),
    'GP_S',
  )
  for (const [name, properties] of Object.entries(incompleteProperties)) {
    const { status, text } = await put('incomplete', { properties })
    holds(`a restore needs ${name}`, status === 400 && text.includes(name), text)
  }
  for (const [name, properties] of Object.entries(builtProperties)) {
    const built = await put(`with-${name.replaceAll(' ', '-').toLowerCase()}`, { properties })
    holds(`${name} is taken`, isDone(built), built.text)
  }
  const sized = await online('with-maxsizebytes')
  holds('the size is shown', sized?.maxSizeBytes === 2_147_483_648, sized)
  const unknown = await put('unknown', { properties: { nonsense: 1 } })
  holds('an unknown property is refused', unknown.status === 400 && unknown.text.includes('nonsense'), unknown.text)
  const removed = await call('DELETE', of('orders'))
  const isRemoved = await until(async () => (await call('GET', of('orders'))).status === 404)
  const isClosed = (await query(orders, 'select 1')).startsWith('refused')
  holds('a deleted one is gone, for PostgreSQL too', isDone(removed) && isRemoved && isClosed, removed.text)
})
