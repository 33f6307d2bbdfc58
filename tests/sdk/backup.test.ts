import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as sdk from '@aws-sdk/client-backup'
import { backup } from '@icosa/backup'
import { settings } from '@icosa/backup/settings'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dropPhysical, testService } from '../../services/sql-databases/src/testing/app.ts'
import { type Tenant, tenantOf } from '../../services/sql-databases/src/testing/tenant.ts'
import { eventually, type SignedPlatform, startSignedPlatform } from './signed-support.ts'

const tenant = '123456789012'
const IamRoleArn = `arn:aws:iam::${tenant}:role/backup`
const resourceArn = (name: string) =>
  `arn:aws:sql-databases:us-east-1:${tenant}:subscriptions/Main/resourceGroups/Web/providers/Vendor.Sql/servers/eu-1/databases/${name}`

let platform: SignedPlatform
let folder = ''
let calls: sdk.Backup
let owner: Tenant

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'icosa-backup-'))
  const service = backup({ ...settings.read({}), region: 'us-east-1', repositories: folder })
  platform = await startSignedPlatform([testService(), service])
  calls = new sdk.Backup(platform.config)
  owner = await tenantOf(platform.app, tenant)
})
afterAll(async () => {
  await dropPhysical(platform.app.platform.database)
  await platform[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

const ended = (BackupJobId: string | undefined) =>
  eventually(
    () => calls.describeBackupJob({ BackupJobId }),
    ({ CompletionDate }) => CompletionDate !== undefined,
  )
const restored = (RestoreJobId: string | undefined) =>
  eventually(
    () => calls.describeRestoreJob({ RestoreJobId }),
    ({ CompletionDate }) => CompletionDate !== undefined,
  )

test('a database is backed up under writes, deleted, and restored to a consistent snapshot', async () => {
  await owner.create('orders', { sku: { name: 'S1' }, tags: { team: 'shop' } })
  const fingerprint =
    'select count(*)::int as rows, md5(string_agg(o::text, chr(10) order by id)) as hash from shop.orders o'
  let before: unknown
  const BackupVaultName = 'daily'
  await calls.createBackupVault({ BackupVaultName, BackupVaultTags: { stage: 'test' } })
  {
    await using orders = await owner.connect('orders')
    await orders.query('create schema shop')
    await orders.query('create table shop.orders (id int primary key, pair int not null, note text)')
    await orders.query("insert into shop.orders select n, n / 2, repeat('x', n % 100) from generate_series(2, 5001) n")
    await orders.query('create view shop.pairs as select pair, count(*) from shop.orders group by pair')
    // Two rows at a time: an inconsistent snapshot would have half a pair.
    let isWriting = true
    const writing = (async () => {
      for (let n = 10_000; isWriting; n += 2)
        await orders.query('insert into shop.orders values ($1, $2, $3), ($1 + 1, $2, $3)', [n, n / 2, 'while'])
    })()
    const started = await calls.startBackupJob({
      BackupVaultName,
      ResourceArn: resourceArn('orders'),
      IamRoleArn,
      RecoveryPointTags: { kept: 'yes' },
    })
    expect(started).toMatchObject({ CreationDate: expect.any(Date), IsParent: false })
    const job = await ended(started.BackupJobId)
    isWriting = false
    await writing
    expect(job).toMatchObject({
      State: 'COMPLETED',
      PercentDone: '100.0',
      ResourceType: 'Vendor.Sql/servers/databases',
    })
    before = (await orders.query(fingerprint)).rows
    const later = await ended(
      (await calls.startBackupJob({ BackupVaultName, ResourceArn: resourceArn('orders'), IamRoleArn })).BackupJobId,
    )
    expect(later.State).toBe('COMPLETED')

    const { RestoreMetadata } = await calls.getRecoveryPointRestoreMetadata({
      BackupVaultName,
      RecoveryPointArn: job.RecoveryPointArn,
    })
    expect(RestoreMetadata).toMatchObject({ databaseName: 'orders', objective: 'S1' })
    const Metadata = { ...RestoreMetadata, databaseName: 'during' }
    const copy = await restored(
      (await calls.startRestoreJob({ RecoveryPointArn: job.RecoveryPointArn, Metadata })).RestoreJobId,
    )
    expect(copy).toMatchObject({ Status: 'COMPLETED', CreatedResourceArn: resourceArn('during') })
    await using during = await owner.connect('during')
    const halves = await during.query('select pair from shop.pairs where count <> 2')
    expect(halves.rows).toEqual([])
  }
  await owner.client.delete(owner.of('orders'))
  await eventually(
    () => owner.status('orders').catch(() => 'gone'),
    (status) => status === 'gone',
  )

  const { RecoveryPoints = [] } = await calls.listRecoveryPointsByBackupVault({ BackupVaultName })
  expect(RecoveryPoints.map(({ Status }) => Status)).toEqual(['COMPLETED', 'COMPLETED'])
  const [last] = RecoveryPoints
  const { RestoreJobId } = await calls.startRestoreJob({
    RecoveryPointArn: last?.RecoveryPointArn,
    Metadata: {},
    CopySourceTagsToRestoredResource: true,
  })
  expect(await restored(RestoreJobId)).toMatchObject({ Status: 'COMPLETED', CreatedResourceArn: resourceArn('orders') })
  expect(await owner.read('orders')).toMatchObject({ tags: { team: 'shop' }, properties: { status: 'Online' } })
  await using back = await owner.connect('orders')
  expect((await back.query(fingerprint)).rows).toEqual(before)
}, 120_000)
