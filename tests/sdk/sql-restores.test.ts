import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SqlManagementClient } from '@azure/arm-sql'
import { SqlManagementClient as Client10 } from '@azure/arm-sql-10'
import { sized } from '@icosa/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testService } from '../../services/sql-databases/src/testing/app.ts'
import { type Tenant, tenantOf } from '../../services/sql-databases/src/testing/tenant.ts'
import { type ArchivedHost, archivedHost } from '../backups/archived-host.ts'
import { timeOf } from '../backups/continuous-world.ts'
import { asOldest, type SdkPlatform, startSdkPlatform } from './support.ts'

const patience = { timeout: 120_000, interval: 200 }
const location = 'westeurope'
const server = ['Web', 'eu-1'] as const
let host: ArchivedHost
let folder: string
let platform: SdkPlatform
let acme: Tenant

beforeAll(async () => {
  host = await archivedHost()
  folder = await mkdtemp(join(tmpdir(), 'icosa-sdk-'))
  await chmod(folder, 0o711) // PostgreSQL runs as another user
  const service = testService({ ...host, retentionDays: 7, recoveryFolder: folder })
  platform = await startSdkPlatform(() => [service])
  const { app, tenant } = platform
  acme = await tenantOf(
    { ...app, client: (contract, target) => app.client(contract, target, service) },
    tenant,
    'sub-1',
  )
}, 180_000)
afterAll(async () => {
  await platform?.[Symbol.asyncDispose]()
  await host?.[Symbol.asyncDispose]()
  if (folder) await rm(folder, { recursive: true, force: true })
})

const at = (scheme: 'http' | 'https') => `${platform.at(scheme)}/sql-databases`
const oldest = () =>
  new SqlManagementClient(platform.credential as never, 'sub-1', {
    baseUri: at('http'),
    longRunningOperationRetryTimeout: 0,
  })
const newest = () =>
  asOldest<SqlManagementClient>(new Client10(platform.credential, 'sub-1', { endpoint: at('https') }))

async function textsIn(name: string): Promise<string[]> {
  await using session = await acme.connect(name)
  return (await session.query('select text from notes')).rows.map(({ text }) => text)
}

const clients = [
  ['7.0.2', oldest],
  ['10.0.0', newest],
] as const

test.each(clients.slice(0, sized(1, 2)))(
  '@azure/arm-sql %s restores to a time, to the latest state, and after a deletion',
  async (version, client) => {
    const { databases, recoverableDatabases, restorableDroppedDatabases } = client()
    const name = `notes-${version}`
    const source = await databases.createOrUpdate(...server, name, { location })
    const isArchived = async () => {
      await platform.app.clock.advance(10_000)
      return (await databases.get(...server, name)).earliestRestoreDate
    }
    await expect.poll(isArchived, patience).toBeInstanceOf(Date)
    let then: Date
    {
      await using session = await acme.connect(name)
      await session.query("create table notes as select 'before' as text")
      then = await timeOf(session)
      await session.query("update notes set text = 'after'")
    }
    const restored = await databases.createOrUpdate(...server, `then-${version}`, {
      location,
      createMode: 'PointInTimeRestore',
      sourceDatabaseId: String(source.id),
      restorePointInTime: then,
    })
    expect(restored.status).toBe('Online')
    expect(await textsIn(`then-${version}`)).toEqual(['before'])

    const written = Date.now()
    const latest = async () => (await recoverableDatabases.get(...server, name)).lastAvailableBackupDate?.getTime()
    await expect.poll(latest, patience).toBeGreaterThan(written)
    const recoverable = (await recoverableDatabases.listByServer(...server)).find((one) => one.name === name)
    await databases.createOrUpdate(...server, `latest-${version}`, {
      location,
      createMode: 'Recovery',
      sourceDatabaseId: String(recoverable?.id),
    })
    expect(await textsIn(`latest-${version}`)).toEqual(['after'])

    await databases.deleteMethod(...server, name)
    const all = await restorableDroppedDatabases.listByServer(...server)
    const dropped = all.find(({ databaseName }) => databaseName === name)
    expect(dropped).toMatchObject({ deletionDate: expect.any(Date), earliestRestoreDate: expect.any(Date) })
    expect(await restorableDroppedDatabases.get(...server, String(dropped?.name))).toMatchObject({ databaseName: name })
    await databases.createOrUpdate(...server, `back-${version}`, {
      location,
      createMode: 'Restore',
      restorableDroppedDatabaseId: String(dropped?.id),
    })
    await databases.createOrUpdate(...server, `earlier-${version}`, {
      location,
      createMode: 'Restore',
      sourceDatabaseId: String(source.id),
      sourceDatabaseDeletionDate: dropped?.deletionDate as Date,
      restorePointInTime: then,
    })
    expect([await textsIn(`back-${version}`), await textsIn(`earlier-${version}`)]).toEqual([['after'], ['before']])
  },
  300_000,
)
