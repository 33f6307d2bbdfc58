import { accountOf } from '@icosa/dialects/signed/arn'
import { jobsIn } from '@icosa/kernel'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { backup as command } from '../commands/backup.ts'
import { arn, type Calls, IamRoleArn, noise, startBackup, tenant, thingArn, type World } from '../testing/app.ts'
import { thingType } from '../testing/things.ts'
import { harmless, notFound, type Scene, type Way, waysOf } from '../testing/ways.ts'
import { maintain } from './maintenance.ts'

// Every way to lose data that a lock or a legal hold protects, with the response to each. Only expiry may delete it.
const day = 86_400_000
const content = noise(300_000, 'evidence').toString('hex')
/** Protected by: a permanent lock, a lock that can be removed, an air gap, a legal hold alone. */
const vaults = ['forever', 'governed', 'gapped', 'held'] as const
type Vault = (typeof vaults)[number]

let world: World
let calls: Calls
let mallory: Calls
let powerless: Calls
const points = new Map<Vault, string>()
const lifecycles = new Map<Vault, unknown>()
const ids = { plan: '', selection: '', hold: '', job: '' }
let stored = 0

const point = (vault: Vault) => points.get(vault) ?? ''
const of = (vault: string) => ({ params: { backupVaultName: vault } })
const at = (vault: Vault, in_: string = vault) => ({ params: { backupVaultName: in_, recoveryPointArn: point(vault) } })
const advance = async (days: number) => {
  await world.app.clock.advance(days * day)
  await world.app.jobs.drain()
}
const setLifecycle = (vault: Vault, Lifecycle: object) =>
  calls.UpdateRecoveryPointLifecycle({ ...at(vault), body: { Lifecycle } })
const lock = (vault: string, body: object) => calls.PutBackupVaultLockConfiguration({ ...of(vault), body })
const start = (BackupVaultName: string, Lifecycle?: object) =>
  calls.StartBackupJob({
    body: { BackupVaultName, ResourceArn: thingArn('evidence'), IamRoleArn, ...(Lifecycle && { Lifecycle }) },
  })
const copy = (to: string, Lifecycle?: object) =>
  calls.StartCopyJob({
    body: {
      RecoveryPointArn: point('held'),
      SourceBackupVaultName: 'held',
      DestinationBackupVaultArn: arn(`backup-vault:${to}`),
      IamRoleArn,
      ...(Lifecycle && { Lifecycle }),
    },
  })
const plan = (BackupPlanName: string, Lifecycle: object) => ({
  BackupPlanName,
  Rules: [{ RuleName: 'short', TargetBackupVaultName: 'forever', ScheduleExpression: 'rate(1 hour)', Lifecycle }],
})
const run = (...words: string[]) => command.run({ words, flags: {} } as unknown as Parameters<typeof command.run>[0])

beforeAll(async () => {
  world = await startBackup()
  calls = world.calls
  mallory = await world.caller('mallory')
  powerless = await world.caller(tenant, ['backup:ListBackupVaults'])
  await world.thing('evidence', content, { team: 'law' })
  for (const vault of ['forever', 'governed', 'held', 'other'])
    await calls.CreateBackupVault({ ...of(vault), body: { CreatorRequestId: vault } })
  await calls.CreateLogicallyAirGappedBackupVault({
    ...of('gapped'),
    body: { MinRetentionDays: 7, MaxRetentionDays: 60 },
  })
  await lock('forever', { MinRetentionDays: 7, MaxRetentionDays: 60, ChangeableForDays: 3 })
  await lock('governed', { MinRetentionDays: 7, MaxRetentionDays: 60 })
  const Lifecycle = { DeleteAfterDays: 40 }
  for (const vault of ['forever', 'governed'] as const)
    points.set(vault, await world.backUp('evidence', vault, { Lifecycle }))
  points.set('held', await world.backUp('evidence', 'held', { Lifecycle: { DeleteAfterDays: 6 } }))
  ids.job = (await calls.ListBackupJobs({ query: {} })).body.BackupJobs[0]?.BackupJobId ?? ''
  await copy('gapped', Lifecycle)
  await world.app.jobs.drain()
  const { body: copies } = await calls.ListRecoveryPointsByBackupVault({ ...of('gapped'), query: {} })
  points.set('gapped', copies.RecoveryPoints[0]?.RecoveryPointArn ?? '')
  const BackupPlan = plan('kept', Lifecycle)
  ids.plan = (await calls.CreateBackupPlan({ body: { BackupPlan } })).body.BackupPlanId ?? ''
  const BackupSelection = { SelectionName: 'none', IamRoleArn, Resources: [thingArn('nothing')] }
  const selected = await calls.CreateBackupSelection({ params: { backupPlanId: ids.plan }, body: { BackupSelection } })
  ids.selection = selected.body.SelectionId ?? ''
  const hold = { Title: 'case', Description: 'a lawsuit', RecoveryPointSelection: { VaultNames: ['held'] } }
  ids.hold = (await calls.CreateLegalHold({ body: hold })).body.LegalHoldId ?? ''
  await advance(8) // the lock is permanent, and the held recovery point has expired
  for (const vault of vaults)
    lifecycles.set(vault, (await calls.DescribeRecoveryPoint(at(vault))).body.CalculatedLifecycle)
  stored = await world.storedBytes()
}, 120_000)
afterAll(() => world[Symbol.asyncDispose]())

const others: readonly Way[] = [
  ['forever: unlock', () => calls.DeleteBackupVaultLockConfiguration(of('forever')), /permanently/],
  ['forever: unlock as another tenant', () => mallory.DeleteBackupVaultLockConfiguration(of('forever')), notFound],
  ['forever: weaken the lock', () => lock('forever', { MinRetentionDays: 1 }), /permanently/],
  [
    'forever: make the lock changeable again',
    () => lock('forever', { MinRetentionDays: 7, ChangeableForDays: 30 }),
    /permanently/,
  ],
  ['forever: lock without limits', () => lock('forever', {}), /permanently/],
  [
    'forever: unlock with the clock moved back',
    async () => {
      await advance(-7)
      await calls.DeleteBackupVaultLockConfiguration(of('forever')).finally(() => advance(7))
    },
    /permanently/,
  ],
  ['gapped: unlock', () => calls.DeleteBackupVaultLockConfiguration(of('gapped')), /permanently/],
  ['gapped: weaken the lock', () => lock('gapped', { MinRetentionDays: 1 }), /permanently/],
  ['gapped: write into it', () => start('gapped', { DeleteAfterDays: 8 }), /air-gapped/],
  ['forever: back up for a day', () => start('forever', { DeleteAfterDays: 1 }), /at least 7/],
  ['forever: back up without an end', () => start('forever'), /at most 60/],
  ['forever: copy to it for a day', () => copy('forever', { DeleteAfterDays: 1 }), /at least 7/],
  ['forever: copy to it without an end', () => copy('forever'), /at most 60/],
  [
    'forever: a plan with a retention of a day',
    async () => {
      const { body } = await calls.CreateBackupPlan({ body: { BackupPlan: plan('short', { DeleteAfterDays: 1 }) } })
      const BackupSelection = { SelectionName: 'evidence', IamRoleArn, Resources: [thingArn('evidence')] }
      await calls.CreateBackupSelection({
        params: { backupPlanId: body.BackupPlanId ?? '' },
        body: { BackupSelection },
      })
      await advance(0.1)
    },
    harmless,
  ],
  [
    'delete the plan’s selection',
    () => calls.DeleteBackupSelection({ params: { backupPlanId: ids.plan, selectionId: ids.selection } }),
    harmless,
  ],
  ['delete the plan', () => calls.DeleteBackupPlan({ params: { backupPlanId: ids.plan } }), harmless],
  ['stop the job that made it', () => calls.StopBackupJob({ params: { backupJobId: ids.job } }), /has ended/],
  [
    'opt the type out',
    () => calls.UpdateRegionSettings({ body: { ResourceTypeOptInPreference: { [thingType]: false } } }),
    harmless,
  ],
  [
    'opt it in again',
    () => calls.UpdateRegionSettings({ body: { ResourceTypeOptInPreference: { [thingType]: true } } }),
    harmless,
  ],
  ['delete the resource', () => world.forgetThing('evidence'), harmless],
  [
    'tag it as to be deleted',
    () => calls.TagResource({ params: { resourceArn: point('forever') }, body: { Tags: { delete: 'now' } } }),
    harmless,
  ],
  [
    'untag it',
    () => calls.UntagResource({ params: { resourceArn: point('forever') }, body: { TagKeyList: ['delete'] } }),
    harmless,
  ],
  [
    'enqueue the maintenance of all vaults',
    async () => {
      const { queue, database } = world.app.platform
      for (const vault of vaults)
        await database.transaction((db) => jobsIn(queue, db, 'backup', tenant).enqueue(maintain, { vault }))
      await world.app.jobs.drain()
    },
    harmless,
  ],
  [
    'move the clock back and forth',
    async () => {
      for (const days of [-5, 5, -1, 1]) await advance(days)
    },
    harmless,
  ],
  [
    'move the clock to just before expiry',
    async () => {
      await advance(30)
      await advance(-30)
    },
    harmless,
  ],
  ['held: delete the recovery point', () => calls.DeleteRecoveryPoint(at('held')), /legal hold/],
  ['held: delete it as another tenant', () => mallory.DeleteRecoveryPoint(at('held')), notFound],
  [
    'held: shorten its retention',
    async () => {
      await setLifecycle('held', { DeleteAfterDays: 1 })
      await advance(0.1)
      await setLifecycle('held', { DeleteAfterDays: 6 })
    },
    harmless,
  ],
  ['held: delete the vault', () => calls.DeleteBackupVault(of('held')), /not empty/],
  [
    'held: cancel the hold as another tenant',
    () => mallory.CancelLegalHold({ params: { legalHoldId: ids.hold }, query: { cancelDescription: 'mine' } }),
    notFound,
  ],
  [
    'held: cancel the hold without the permission',
    () => powerless.CancelLegalHold({ params: { legalHoldId: ids.hold }, query: { cancelDescription: 'x' } }),
    /permission/,
  ],
  [
    'held: cancel another hold over it',
    async () => {
      const body = { Title: 'two', Description: 'two', RecoveryPointSelection: { VaultNames: ['held'] } }
      const { LegalHoldId = '' } = (await calls.CreateLegalHold({ body })).body
      await calls.CancelLegalHold({ params: { legalHoldId: LegalHoldId }, query: { cancelDescription: 'over' } })
      await advance(0.1)
      await calls.DeleteRecoveryPoint(at('held'))
    },
    /legal hold/,
  ],
  [
    'held: lock the vault and unlock it again',
    async () => {
      await lock('held', { MinRetentionDays: 1 })
      await calls.DeleteBackupVaultLockConfiguration(of('held'))
      await calls.DeleteRecoveryPoint(at('held'))
    },
    /legal hold/,
  ],
  [
    'name another account in the ARN',
    () =>
      calls.DeleteRecoveryPoint({
        params: {
          backupVaultName: 'held',
          recoveryPointArn: point('held').replace(accountOf(tenant), accountOf('mallory')),
        },
      }),
    notFound,
  ],
  ['a command of the operator that deletes', () => run('delete', 'forever'), /Usage/],
  ['a command of the operator that forgets', () => run('forget', 'forever'), /Usage/],
]

const scene: Scene = {
  get calls() {
    return calls
  },
  get mallory() {
    return mallory
  },
  get powerless() {
    return powerless
  },
  at: (vault, through) => at(vault as Vault, through),
  of,
  setLifecycle: (vault, lifecycle) => setLifecycle(vault as Vault, lifecycle),
}
const lockedVaults = ['forever', 'governed', 'gapped']
const ways: readonly Way[] = [...lockedVaults.flatMap((vault) => waysOf(vault, scene)), ...others]

test('there are at least fifty ways with distinct names', () => {
  expect(new Set(ways.map(([name]) => name)).size).toBe(ways.length)
  expect(ways.length).toBeGreaterThanOrEqual(50)
})

describe.each(ways)('%s', (_, attempt, answer) => {
  test('loses nothing', async () => {
    const outcome = await attempt().then(
      () => harmless,
      (error) => `${error.message} ${JSON.stringify(error.body ?? '')}`,
    )
    if (answer === harmless) expect(outcome).toBe(harmless)
    else expect(outcome).toMatch(answer)
    await world.app.jobs.drain()
    for (const vault of vaults) {
      const { body } = await calls.DescribeRecoveryPoint(at(vault))
      expect(body, vault).toMatchObject({ Status: 'COMPLETED', CalculatedLifecycle: lifecycles.get(vault) })
    }
    expect(await world.storedBytes()).toBeGreaterThanOrEqual(stored)
  })
})

describe('expiry', () => {
  test.each(vaults)('before it, all data can be restored from %s', async (vault) => {
    expect(await world.restore(point(vault), { name: `from-${vault}` })).toMatchObject({ Status: 'COMPLETED' })
    expect(await world.read(`from-${vault}`)).toBe(content)
  })

  test('before it, a governance lock can be removed', async () => {
    await calls.DeleteBackupVaultLockConfiguration(of('governed'))
    await calls.DeleteRecoveryPoint(at('governed'))
  })

  test('after it, the data is deleted and the space is freed', async () => {
    await calls.CancelLegalHold({ params: { legalHoldId: ids.hold }, query: { cancelDescription: 'settled' } })
    await advance(40)
    await advance(1)
    for (const vault of vaults)
      await expect(calls.DescribeRecoveryPoint(at(vault))).rejects.toMatchObject({ status: 404 })
    expect(await world.storedBytes()).toBeLessThan(stored / 4)
  }, 120_000)
})
