import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { backup } from '@icosa/backup'
import { recoveryPoints, restoreJobs } from '@icosa/backup/contract'
import { settings } from '@icosa/backup/settings'
import { client } from '@icosa/client'
import { sql } from '@icosa/kernel'
import { credentialsFor, startTestApp } from '@icosa/testing'
import { expect, test } from 'vitest'
import { foldersOf } from '../../services/sql-virtual-machines/src/hosting/folders.ts'
import { runningIn } from '../../services/sql-virtual-machines/src/hosting/process.ts'
import { sqlVirtualMachines } from '../../services/sql-virtual-machines/src/index.ts'
import { machinesFolder, testSettings } from '../../services/sql-virtual-machines/src/testing/app.ts'
import { connectTo, tenantOf } from '../../services/sql-virtual-machines/src/testing/tenant.ts'

const hourMs = 3_600_000

test('a machine is backed up and restarted in its windows, and its backup restores to another machine', {
  timeout: 300_000,
}, async () => {
  await using folder = await machinesFolder()
  const repositories = await mkdtemp(join(tmpdir(), 'icosa-machine-backups-'))
  const vaults = backup({ ...settings.read({}), region: 'us-east-1', repositories })
  await using app = await startTestApp({ services: [sqlVirtualMachines(testSettings(folder.path)), vaults] })
  const tenant = await tenantOf(app, 'alice')
  await app.clock.move({ to: new Date('2026-11-14T22:00:00Z') }) // a Saturday
  await tenant.create('one', {
    properties: {
      autoBackupSettings: { enable: true, fullBackupStartTime: 1, fullBackupWindowHours: 1, retentionPeriod: 7 },
      autoPatchingSettings: { enable: true, dayOfWeek: 'Sunday', maintenanceWindowStartingHour: 3 },
    },
  })
  const { connectionString } = await tenant.credentials('one')
  const writing = await connectTo(connectionString)
  await writing.query('create table lines as select generate_series(1, 1000) as id')
  await writing.end()
  const { id } = await app.platform.database.one<{ id: string }>(sql`select id from sql_virtual_machines.machines`)
  const folders = foldersOf(folder.path, id)
  const points = client(recoveryPoints, await credentialsFor(app, vaults, 'alice'))
  const listed = async () =>
    (await points.ListRecoveryPointsByBackupVault({ params: { backupVaultName: 'Default' }, query: {} })).body
      .RecoveryPoints ?? []
  const pass = async (hours: number) => {
    await app.clock.advance(hours * hourMs)
    await app.jobs.drain()
  }

  await pass(1) // 23:00
  await expect(listed()).rejects.toMatchObject({ status: 404 })
  await pass(2.2) // 1:12, in the backup window
  expect(await listed()).toMatchObject([{ Status: 'COMPLETED', Lifecycle: { DeleteAfterDays: 7 } }])
  await pass(0.5) // once in a window
  expect(await listed()).toHaveLength(1)
  const before = await runningIn(folders)
  await pass(1.5) // 3:12, in the patching window
  const after = await runningIn(folders)
  expect(after).not.toBe(before)
  await pass(0.3) // once in a window
  expect(await runningIn(folders)).toBe(after)
  expect((await tenant.read('one')).properties).toMatchObject({ provisioningState: 'Succeeded' })
  await pass(22) // Monday, 1:30: every day
  expect(await listed()).toHaveLength(2)
  expect(await runningIn(folders)).toBe(after)

  await pass(24.5) // Tuesday, 2:00: the one-hour window has passed without a backup
  expect(await listed()).toHaveLength(3)
  await pass(1) // a missed backup is made up once
  expect(await listed()).toHaveLength(3)

  const [point] = await listed()
  const restores = client(restoreJobs, await credentialsFor(app, vaults, 'alice'))
  const Metadata = { subscriptionId: 'Main', resourceGroupName: 'Web', sqlVirtualMachineName: 'two' }
  const { body } = await restores.StartRestoreJob({
    body: { RecoveryPointArn: point?.RecoveryPointArn ?? '', Metadata },
  })
  await app.jobs.drain()
  expect(await restores.DescribeRestoreJob({ params: { restoreJobId: body.RestoreJobId } })).toMatchObject({
    body: { Status: 'COMPLETED' },
  })
  const restored = await connectTo((await tenant.credentials('two')).connectionString)
  expect((await restored.query('select count(*)::int as count from lines')).rows).toEqual([{ count: 1000 }])
  await restored.end()
  await rm(repositories, { recursive: true, force: true })
})
