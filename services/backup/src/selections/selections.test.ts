import { accountOf } from '@icosa/dialects/signed/arn'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { IamRoleArn, refusal, startBackup, tenant, thingArn, type World } from '../testing/app.ts'

let world: World
let params: { readonly backupPlanId: string }
beforeAll(async () => {
  world = await startBackup()
  const { calls } = world
  await calls.CreateBackupVault({ params: { backupVaultName: 'daily' }, body: {} })
  for (const name of ['Orders', 'bills']) await world.thing(name, name)
  const Rules = [{ RuleName: 'hourly', TargetBackupVaultName: 'daily', ScheduleExpression: 'rate(1 hour)' }]
  const { body } = await calls.CreateBackupPlan({ body: { BackupPlan: { BackupPlanName: 'names', Rules } } })
  params = { backupPlanId: body.BackupPlanId ?? '' }
})
afterAll(() => world[Symbol.asyncDispose]())

let number = 0
const select = (selection: object) => {
  const BackupSelection = { SelectionName: `of_${++number}`, IamRoleArn, ...selection }
  return world.calls.CreateBackupSelection({ params, body: { BackupSelection } })
}

/** Names of the resources that the plan backs up in the next hour. */
async function backedUp(): Promise<(string | undefined)[]> {
  const { app, calls } = world
  const createdAfter = app.platform.clock.now().toISOString()
  await app.clock.advance(3_601_000)
  await app.jobs.drain()
  const { BackupJobs } = (await calls.ListBackupJobs({ query: { createdAfter } })).body
  return BackupJobs.map(({ ResourceName }) => ResourceName).sort()
}

test.each([
  ['an ARN', { Resources: [thingArn('Orders')] }, ['Orders']],
  [
    'an ARN with the name of the tenant',
    { Resources: [thingArn('Orders').replace(accountOf(tenant), tenant)] },
    ['Orders'],
  ],
  ['a path', { Resources: ['/things/orders'] }, ['Orders']],
  ['a path without a slash', { Resources: ['things/Orders'] }, ['Orders']],
  ['a pattern of paths', { Resources: ['/things/*'] }, ['Orders', 'bills']],
  ['a pattern of ARNs', { Resources: [`arn:aws:backup:*:*:things/b*`] }, ['bills']],
  ['an exception', { NotResources: ['/things/orders'] }, ['bills']],
  ['a name without a resource', { Resources: ['/things/nothing'] }, []],
])('selects resources by %s', async (_, selection, expected) => {
  const { SelectionId: selectionId = '' } = (await select(selection)).body
  expect(await backedUp()).toEqual(expected)
  await world.calls.DeleteBackupSelection({ params: { ...params, selectionId } })
})

test.each(['orders', 'arn:aws:backup', '/orders', 'ord*', 'a//b'])('rejects %j as a resource name', async (name) => {
  const is = /is not (the name of a resource|a pattern)/
  await expect(select({ Resources: [name] })).rejects.toMatchObject(refusal('InvalidParameterValueException', is))
  await expect(select({ NotResources: [name] })).rejects.toMatchObject(refusal('InvalidParameterValueException', is))
  const RecoveryPointSelection = { ResourceIdentifiers: [name] }
  const hold = { Title: 'case', Description: 'one', RecoveryPointSelection }
  await expect(world.calls.CreateLegalHold({ body: hold })).rejects.toMatchObject({ status: 400 })
  const body = { BackupVaultName: 'daily', IamRoleArn, ResourceArn: name }
  await expect(world.calls.StartBackupJob({ body })).rejects.toMatchObject({ status: 400 })
})

test('rejects names of another account or region, and more than thirty patterns', async () => {
  for (const foreign of [
    thingArn('x').replace(accountOf(tenant), accountOf('mallory')),
    thingArn('x').replace('us-', 'eu-'),
  ])
    for (const name of [foreign, `${foreign}*`])
      await expect(select({ Resources: [name] }), name).rejects.toMatchObject({ status: 400 })
  const Resources = Array.from({ length: 31 }, (_, index) => `/things/${index}*`)
  await expect(select({ Resources })).rejects.toMatchObject(refusal('InvalidParameterValueException', /more than 30/))
})

test('finds jobs, recovery points and holds by every spelling of a resource name, even after it was deleted', async () => {
  const { calls, app } = world
  await world.thing('gone', 'soon')
  const body = { BackupVaultName: 'daily', IamRoleArn, ResourceArn: '/things/gone' }
  const { RecoveryPointArn, BackupJobId: backupJobId } = (await calls.StartBackupJob({ body })).body
  await app.jobs.drain()
  const { body: job } = await calls.DescribeBackupJob({ params: { backupJobId } })
  expect(job).toMatchObject({ State: 'COMPLETED', NumberOfChildJobs: 0, ChildJobsInState: {} })
  await world.forgetThing('gone')
  for (const name of [thingArn('gone'), '/things/gone', 'things/GONE']) {
    const { BackupJobs } = (await calls.ListBackupJobs({ query: { resourceArn: name } })).body
    expect(BackupJobs, name).toMatchObject([{ State: 'COMPLETED' }])
    const at = { params: { resourceArn: name } }
    const { RecoveryPoints } = (await calls.ListRecoveryPointsByResource({ ...at, query: {} })).body
    expect(RecoveryPoints, name).toMatchObject([{ RecoveryPointArn }])
    expect((await calls.DescribeProtectedResource(at)).body).toMatchObject({ ResourceName: 'gone' })
    const hold = { Title: name, Description: 'one', RecoveryPointSelection: { ResourceIdentifiers: [name] } }
    const { LegalHoldId: legalHoldId = '' } = (await calls.CreateLegalHold({ body: hold })).body
    const page = (await calls.ListRecoveryPointsByLegalHold({ params: { legalHoldId }, query: {} })).body
    expect(page.RecoveryPoints, name).toMatchObject([{ RecoveryPointArn }])
  }
})

test("another account's id finds nothing, the caller's own finds everything", async () => {
  const { calls } = world
  const vault = { params: { backupVaultName: 'daily' } }
  for (const backupVaultAccountId of [accountOf(tenant), undefined]) {
    const query = backupVaultAccountId === undefined ? {} : { backupVaultAccountId }
    expect((await calls.DescribeBackupVault({ ...vault, query })).body.BackupVaultName).toBe('daily')
  }
  const query = { backupVaultAccountId: '999999999999' }
  const [point] = (await calls.ListRecoveryPointsByBackupVault({ ...vault, query: {} })).body.RecoveryPoints
  const at = { params: { ...vault.params, recoveryPointArn: point?.RecoveryPointArn ?? '' } }
  const { backupVaultAccountId: BackupVaultAccountId } = query
  const inferred = { BackupVaultAccountId, BackupVaultName: 'daily', RecoveryPointArn: at.params.recoveryPointArn }
  for (const call of [
    calls.DescribeBackupVault({ ...vault, query }),
    calls.ListRecoveryPointsByBackupVault({ ...vault, query }),
    calls.DescribeRecoveryPoint({ ...at, query }),
    calls.GetRecoveryPointRestoreMetadata({ ...at, query }),
    calls.ListProtectedResourcesByBackupVault({ ...vault, query }),
    calls.GetRestoreTestingInferredMetadata({ query: inferred }),
  ])
    await expect(call).rejects.toMatchObject(refusal('ResourceNotFoundException', /vault 'daily' was not found/))
  const jobs = async (accountId: string) =>
    (await calls.ListBackupJobs({ query: { accountId } })).body.BackupJobs.length
  expect(await jobs('999999999999')).toBe(0)
  expect(await jobs(accountOf(tenant))).toBe(await jobs('*'))
  expect(await jobs('*')).toBeGreaterThan(0)
  const countSummaries = async (AccountId: string) =>
    (await calls.ListBackupJobSummaries({ query: { AccountId } })).body.BackupJobSummaries.length
  expect(await countSummaries('999999999999')).toBe(0)
  expect(await countSummaries(accountOf(tenant))).toBeGreaterThan(0)
})

test('rejects a copy to another account or region, since no account is part of an organization', async () => {
  const { calls } = world
  const [point] = (await calls.ListRecoveryPointsByBackupVault({ params: { backupVaultName: 'daily' }, query: {} }))
    .body.RecoveryPoints
  const RecoveryPointArn = point?.RecoveryPointArn ?? ''
  const own = `arn:aws:backup:us-east-1:${accountOf(tenant)}:backup-vault:elsewhere`
  for (const DestinationBackupVaultArn of [
    own.replace(accountOf(tenant), accountOf('mallory')),
    own.replace('us-', 'eu-'),
  ]) {
    const body = { RecoveryPointArn, SourceBackupVaultName: 'daily', DestinationBackupVaultArn, IamRoleArn }
    const refused = refusal('InvalidRequestException', /organization/)
    await expect(calls.StartCopyJob({ body })).rejects.toMatchObject(refused)
    const rule = { RuleName: 'r', TargetBackupVaultName: 'daily', CopyActions: [{ DestinationBackupVaultArn }] }
    const BackupPlan = { BackupPlanName: 'copying', Rules: [rule] }
    await expect(calls.CreateBackupPlan({ body: { BackupPlan } })).rejects.toMatchObject(refused)
  }
})

test.each(['a', 'bad name', 'x'.repeat(51)])(
  'rejects the vault name %j with the pattern of valid names',
  async (name) => {
    const vault = { params: { backupVaultName: name } }
    const refused = refusal('InvalidParameterValueException', /\^\[a-zA-Z0-9_-\]\{2,50\}\$/)
    await expect(world.calls.CreateBackupVault({ ...vault, body: {} })).rejects.toMatchObject(refused)
    const days = { MinRetentionDays: 7, MaxRetentionDays: 9 }
    await expect(world.calls.CreateLogicallyAirGappedBackupVault({ ...vault, body: days })).rejects.toMatchObject(
      refused,
    )
    await expect(world.calls.DescribeBackupVault({ ...vault, query: {} })).rejects.toMatchObject({ status: 404 })
  },
)
