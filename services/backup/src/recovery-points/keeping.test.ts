import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openRestic } from '../restic/restic.ts'
import { settings } from '../settings.ts'
import { arn, IamRoleArn, noise, refusal, startBackup, tenant, thingArn, type World } from '../testing/app.ts'
import { repositoryOf } from '../vaults/repository.ts'
import * as vaults from '../vaults/store.ts'

const day = 86_400_000
const vault = { params: { backupVaultName: 'daily' } }
const at = (recoveryPointArn: string, backupVaultName = 'daily') => ({ params: { backupVaultName, recoveryPointArn } })

let world: World
beforeAll(async () => {
  world = await startBackup()
  await world.calls.CreateBackupVault({ ...vault, body: {} })
})
afterAll(() => world[Symbol.asyncDispose]())

test('a backup is restored under another name, and unchanged data takes no more space', async () => {
  const content = noise(4_000_000)
  await world.thing('report', content, { team: 'web' })
  const first = await world.backUp('report', 'daily')
  const firstBytes = await world.storedBytes()
  const second = await world.backUp('report', 'daily')
  expect(await world.storedBytes()).toBeLessThan(firstBytes * 1.01)
  expect(await world.restore(second, { name: 'copy' })).toMatchObject({
    Status: 'COMPLETED',
    CreatedResourceArn: thingArn('copy'),
  })
  expect(await world.read('copy')).toBe(content.toString())
  expect(await world.restore(first)).toMatchObject({ Status: 'FAILED', StatusMessage: /already exists/ })
  const { body } = await world.calls.DescribeProtectedResource({ params: { resourceArn: thingArn('report') } })
  expect(body).toMatchObject({
    ResourceName: 'report',
    LastRecoveryPointArn: second,
    LatestRestoreExecutionTimeMinutes: 1,
  })
})

test('deleting a recovery point removes its row and its snapshot and frees the space', async () => {
  await world.thing('large', noise(6_000_000, 'large'))
  const before = await world.storedBytes()
  const point = await world.backUp('large', 'daily')
  expect(await world.storedBytes()).toBeGreaterThan(before + 5_000_000)
  await world.calls.DeleteRecoveryPoint(at(point))
  expect((await world.calls.DescribeRecoveryPoint(at(point))).body).toMatchObject({ Status: 'DELETING' })
  await expect(world.calls.StartRestoreJob({ body: { RecoveryPointArn: point, Metadata: {} } })).rejects.toMatchObject(
    refusal('InvalidRequestException', /DELETING/),
  )
  await world.app.jobs.drain()
  await expect(world.calls.DescribeRecoveryPoint(at(point))).rejects.toMatchObject({ status: 404 })
  expect(await world.storedBytes()).toBeLessThan(before + 1_000_000)
})

describe('a recovery point in a locked vault', () => {
  const RecoveryPointSelection = { VaultNames: ['locked'] }
  const body = { RecoveryPointSelection, Title: 'case 7', Description: 'a lawsuit', IdempotencyToken: 'once' }
  let point = ''
  let hold = ''

  beforeAll(async () => {
    const { calls } = world
    await calls.CreateBackupVault({ params: { backupVaultName: 'locked' }, body: {} })
    await calls.PutBackupVaultLockConfiguration({
      params: { backupVaultName: 'locked' },
      body: { MinRetentionDays: 7, MaxRetentionDays: 30, ChangeableForDays: 3 },
    })
    await world.thing('evidence', 'testimony')
    point = await world.backUp('evidence', 'locked', { Lifecycle: { DeleteAfterDays: 10 } })
    hold = (await calls.CreateLegalHold({ body })).body.LegalHoldId ?? ''
    expect((await calls.CreateLegalHold({ body })).body.LegalHoldId).toBe(hold)
    await world.app.clock.advance(4 * day)
    await world.app.jobs.drain()
  })

  type Attempt = readonly [name: string, attempt: () => Promise<unknown>, message: RegExp]
  const locked = { params: { backupVaultName: 'locked' } }
  const attempts: readonly Attempt[] = [
    ['delete it', () => world.calls.DeleteRecoveryPoint(at(point, 'locked')), /locked/],
    [
      'shorten its retention',
      () =>
        world.calls.UpdateRecoveryPointLifecycle({
          ...at(point, 'locked'),
          body: { Lifecycle: { DeleteAfterDays: 8 } },
        }),
      /locked/,
    ],
    ['delete the vault', () => world.calls.DeleteBackupVault(locked), /not empty/],
    ['unlock the vault', () => world.calls.DeleteBackupVaultLockConfiguration(locked), /permanently/],
    [
      'weaken the lock',
      () => world.calls.PutBackupVaultLockConfiguration({ ...locked, body: { MinRetentionDays: 1 } }),
      /permanently/,
    ],
    ['disassociate it', () => world.calls.DisassociateRecoveryPoint(at(point, 'locked')), /continuous/],
    [
      'retain a new backup too briefly',
      () =>
        world.calls.StartBackupJob({
          body: {
            BackupVaultName: 'locked',
            ResourceArn: thingArn('evidence'),
            IamRoleArn,
            Lifecycle: { DeleteAfterDays: 3 },
          },
        }),
      /at least 7 and at most 30/,
    ],
    [
      'copy into it without a retention period',
      () =>
        world.calls.StartCopyJob({
          body: {
            RecoveryPointArn: point,
            SourceBackupVaultName: 'locked',
            DestinationBackupVaultArn: arn('backup-vault:locked'),
            IamRoleArn,
          },
        }),
      /another vault/,
    ],
  ]

  test.each(attempts)('cannot be circumvented: %s', async (_, attempt, message) => {
    await expect(attempt()).rejects.toMatchObject(refusal('InvalidRequestException', message))
  })

  test('is safe from another tenant and from a clock that moves back and forth', async () => {
    const mallory = await world.caller('mallory')
    await expect(mallory.DeleteRecoveryPoint(at(point, 'locked'))).rejects.toMatchObject({ status: 404 })
    await world.app.clock.advance(-2 * day)
    await world.app.jobs.drain()
    await world.app.clock.advance(2 * day)
    await world.app.jobs.drain()
    expect((await world.calls.DescribeRecoveryPoint(at(point, 'locked'))).body).toMatchObject({ Status: 'COMPLETED' })
  })

  test('is retained by a legal hold after it expires, and deleted when the hold is cancelled', async () => {
    await world.app.clock.advance(20 * day)
    await world.app.jobs.drain()
    const { body: page } = await world.calls.ListRecoveryPointsByLegalHold({ params: { legalHoldId: hold } })
    expect(page.RecoveryPoints).toMatchObject([{ RecoveryPointArn: point }])
    await world.forgetThing('evidence')
    expect(await world.restore(point)).toMatchObject({ Status: 'COMPLETED' })
    expect(await world.read('evidence')).toBe('testimony')
    await world.calls.CancelLegalHold({
      params: { legalHoldId: hold },
      query: { cancelDescription: 'settled', retainRecordInDays: 3 },
    })
    await world.app.clock.advance(60_000)
    await world.app.jobs.drain()
    await expect(world.calls.DescribeRecoveryPoint(at(point, 'locked'))).rejects.toMatchObject({ status: 404 })
    await world.calls.DeleteBackupVault(locked)
  })
})

test('a permanent lock stays so when the clock moves back before its date', async () => {
  const dated = { params: { backupVaultName: 'dated' } }
  const lock = { MinRetentionDays: 7, MaxRetentionDays: 30, ChangeableForDays: 3 }
  await world.calls.CreateBackupVault({ ...dated, body: {} })
  await world.calls.PutBackupVaultLockConfiguration({ ...dated, body: lock })
  await world.app.clock.advance(4 * day)
  await world.app.jobs.drain()
  await world.app.clock.advance(-3 * day)
  const refused = refusal('InvalidRequestException', /permanently/)
  await expect(world.calls.DeleteBackupVaultLockConfiguration(dated)).rejects.toMatchObject(refused)
  const weaker = { ...lock, MinRetentionDays: 1 }
  await expect(world.calls.PutBackupVaultLockConfiguration({ ...dated, body: weaker })).rejects.toMatchObject(refused)
  await world.app.clock.advance(3 * day)
})

test('an access policy denies the actions in its Deny statements', async () => {
  const { calls } = world
  const guarded = { params: { backupVaultName: 'guarded' } }
  await calls.CreateBackupVault({ ...guarded, body: {} })
  const Statement = [{ Effect: 'Deny', Principal: '*', Action: ['backup:Delete*'], Resource: '*' }]
  await calls.PutBackupVaultAccessPolicy({ ...guarded, body: { Policy: JSON.stringify({ Statement }) } })
  await expect(calls.DeleteBackupVault(guarded)).rejects.toMatchObject({ status: 403 })
  await calls.PutBackupVaultAccessPolicy({ ...guarded, body: {} })
  await calls.DeleteBackupVault(guarded)
})

test('restoring and verifying detect a flipped byte', async () => {
  const { calls, folder } = world
  const worn = { params: { backupVaultName: 'worn' } }
  await calls.CreateBackupVault({ ...worn, body: {} })
  await world.thing('fragile', noise(500_000, 'fragile'))
  const point = await world.backUp('fragile', 'worn')
  for (const file of await filesBelow(join(folder, 'repositories'))) {
    if (!/\/data\//.test(file)) continue
    const bytes = await readFile(file)
    if (bytes.length < 400_000 || bytes.length > 1_000_000) continue
    bytes[1_000] = (bytes[1_000] ?? 0) ^ 1
    await writeFile(file, bytes)
  }
  expect(await world.restore(point, { name: 'broken' })).toMatchObject({
    Status: 'FAILED',
    StatusMessage: expect.stringMatching(/damaged/),
  })
  await expect(world.read('broken')).rejects.toThrow(/ENOENT/)
  const { database, cellVault } = world.app.platform
  const row = await vaults.find(database, tenant, 'worn')
  const restic = openRestic({ ...settings.read({}), repositories: join(folder, 'repositories') })
  await expect(restic.verify(repositoryOf(row as vaults.VaultRow, await cellVault.of(tenant)))).rejects.toThrow(
    /does not match/,
  )
})

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name))
}
