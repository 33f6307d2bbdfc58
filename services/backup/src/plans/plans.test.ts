import { afterAll, beforeAll, expect, test } from 'vitest'
import { arn, IamRoleArn, noise, refusal, startBackup, thingArn, type World } from '../testing/app.ts'
import { nextTime } from './schedule.ts'

const hour = 3_600_000
let world: World
beforeAll(async () => {
  world = await startBackup()
})
afterAll(() => world[Symbol.asyncDispose]())

test.each([
  ['cron(0 5 ? * * *)', 'Etc/UTC', '2026-03-28T06:00:00Z', '2026-03-29T05:00:00Z'],
  ['cron(30 2 ? * * *)', 'Europe/Berlin', '2026-03-27T12:00:00Z', '2026-03-28T01:30:00Z'],
  ['cron(0 12 ? * 1 *)', 'Etc/UTC', '2026-03-28T00:00:00Z', '2026-03-29T12:00:00Z'], // 1 is Sunday
  ['cron(0 12 ? * MON#2 *)', 'Etc/UTC', '2026-03-28T00:00:00Z', '2026-04-13T12:00:00Z'],
  ['cron(0 0 L * ? 2027)', 'Etc/UTC', '2026-03-28T00:00:00Z', '2027-01-31T00:00:00Z'],
  ['rate(12 hours)', 'Etc/UTC', '2026-03-28T00:00:00Z', '2026-03-28T12:00:00Z'],
  ['cron(0 0/12 * * ? *)', 'Etc/UTC', '2026-03-28T00:00:00Z', '2026-03-28T12:00:00Z'],
  ['cron(0 5/12 * * ? *)', 'Etc/UTC', '2026-03-28T17:00:00Z', '2026-03-29T05:00:00Z'],
  ['cron(10/30 * * * ? *)', 'Etc/UTC', '2026-03-28T00:11:00Z', '2026-03-28T00:40:00Z'],
  ['cron(5,10/30 8 * * ? *)', 'Etc/UTC', '2026-03-28T08:10:00Z', '2026-03-28T08:40:00Z'],
  ['cron(0 0 1/10 * ? *)', 'Etc/UTC', '2026-03-28T00:00:00Z', '2026-03-31T00:00:00Z'],
  ['cron(0 0 1 JAN/5 ? *)', 'Etc/UTC', '2026-03-28T00:00:00Z', '2026-06-01T00:00:00Z'],
  ['cron(0 0 ? * 2/2 *)', 'Etc/UTC', '2026-03-28T00:00:00Z', '2026-03-30T00:00:00Z'], // Monday, Wednesday, Friday
  ['cron(0 0 1 1 ? 2027/2)', 'Etc/UTC', '2027-03-28T00:00:00Z', '2029-01-01T00:00:00Z'],
])('%s in %s, after %s, is next due at %s', (expression, timezone, after, expected) => {
  expect(nextTime({ expression, timezone }, new Date(after))).toEqual(new Date(expected))
})

test.each([
  '',
  'cron(0 5 ? * *)',
  'cron(99 5 ? * * *)',
  'cron(0 5 ? * 9 *)',
  'rate(0 hours)',
  '5 minutes',
  'cron(0/0 5 ? * * *)',
])('%j is not a schedule', (expression) => {
  expect(() => nextTime({ expression, timezone: 'Etc/UTC' }, new Date())).toThrow(/not a schedule/)
})

// Also covers the operations Start* of jobs.
test('a due plan backs up the resources of its selections and copies the recovery points', async () => {
  const { calls, app } = world
  for (const backupVaultName of ['nightly', 'elsewhere'])
    await calls.CreateBackupVault({ params: { backupVaultName }, body: { BackupVaultTags: { stage: 'test' } } })
  const air = { params: { backupVaultName: 'far-away' }, body: { MinRetentionDays: 7, MaxRetentionDays: 90 } }
  expect((await calls.CreateLogicallyAirGappedBackupVault(air)).body).toMatchObject({ VaultState: 'AVAILABLE' })
  expect((await calls.DescribeBackupVault({ params: air.params, query: {} })).body).toMatchObject({
    Locked: true,
    MinRetentionDays: 7,
  })

  await world.thing('one', noise(1_000, 'one'), { backup: 'yes' })
  await world.thing('two', noise(1_000, 'two'), { backup: 'yes', stage: 'test' })
  await world.thing('three', noise(1_000, 'three'))
  const rule = {
    RuleName: 'hourly',
    TargetBackupVaultName: 'nightly',
    ScheduleExpression: 'rate(1 hour)',
    Lifecycle: { DeleteAfterDays: 30 },
    RecoveryPointTags: { by: 'plan' },
    CopyActions: [{ DestinationBackupVaultArn: arn('backup-vault:far-away'), Lifecycle: { DeleteAfterDays: 60 } }],
  }
  const BackupPlan = { BackupPlanName: 'all', Rules: [rule] }
  const missing = { ...BackupPlan, Rules: [{ ...rule, TargetBackupVaultName: 'nowhere' }] }
  await expect(calls.CreateBackupPlan({ body: { BackupPlan: missing } })).rejects.toMatchObject(
    refusal('InvalidParameterValueException', /nowhere/),
  )
  const continuous = (more: object) =>
    calls.CreateBackupPlan({
      body: { BackupPlan: { ...BackupPlan, Rules: [{ ...rule, EnableContinuousBackup: true, ...more }] } },
    })
  await expect(continuous({})).rejects.toMatchObject({
    status: 503,
    body: { Message: expect.stringMatching(/continuously/) },
  })
  for (const Lifecycle of [{ DeleteAfterDays: 36 }, { DeleteAfterDays: 10, MoveToColdStorageAfterDays: 1 }])
    await expect(continuous({ Lifecycle })).rejects.toMatchObject(
      refusal('InvalidParameterValueException', /continuous backup/),
    )
  const body = { BackupPlan, BackupPlanTags: { team: 'web' }, CreatorRequestId: 'once' }
  const created = (await calls.CreateBackupPlan({ body })).body
  expect((await calls.CreateBackupPlan({ body })).body).toEqual(created)
  await expect(calls.CreateBackupPlan({ body: { BackupPlan } })).rejects.toMatchObject(
    refusal('AlreadyExistsException', /already exists/),
  )
  const params = { backupPlanId: created.BackupPlanId ?? '' }
  const BackupSelection = {
    SelectionName: 'tagged',
    IamRoleArn,
    ListOfTags: [{ ConditionType: 'STRINGEQUALS' as const, ConditionKey: 'backup', ConditionValue: 'yes' }],
    Resources: [thingArn('three')],
    NotResources: ['*/one'],
    Conditions: { StringNotEquals: [{ ConditionKey: 'aws:ResourceTag/stage', ConditionValue: 'live' }] },
  }
  const selected = (await calls.CreateBackupSelection({ params, body: { BackupSelection } })).body
  await expect(calls.CreateBackupSelection({ params, body: { BackupSelection } })).rejects.toMatchObject(
    refusal('AlreadyExistsException', /tagged/),
  )
  const selection = { params: { ...params, selectionId: selected.SelectionId ?? '' } }
  expect((await calls.GetBackupSelection(selection)).body).toMatchObject({ BackupSelection })
  const plan = (await calls.GetBackupPlan({ params })).body.BackupPlan
  expect(plan).toMatchObject(BackupPlan)

  await app.clock.advance(hour + 1_000)
  await app.jobs.drain()
  const { BackupJobs } = (await calls.ListBackupJobs({ query: {} })).body
  expect(BackupJobs.map(({ ResourceName, State }) => [ResourceName, State]).sort()).toEqual([
    ['three', 'COMPLETED'],
    ['two', 'COMPLETED'],
  ])
  expect(BackupJobs[0]?.CreatedBy).toMatchObject({
    BackupPlanId: created.BackupPlanId,
    BackupPlanVersion: created.VersionId,
  })
  const { CopyJobs } = (await calls.ListCopyJobs({ query: { state: 'COMPLETED' } })).body
  expect(CopyJobs).toHaveLength(2)
  const copies = (
    await calls.ListRecoveryPointsByBackupVault({ params: { backupVaultName: 'far-away' }, query: { maxResults: 1 } })
  ).body
  expect(copies).toMatchObject({
    RecoveryPoints: [{ SourceBackupVaultArn: arn('backup-vault:nightly'), Lifecycle: { DeleteAfterDays: 60 } }],
    NextToken: expect.any(String),
  })
  await world.forgetThing('two')
  const two = CopyJobs.find(({ ResourceName }) => ResourceName === 'two')?.DestinationRecoveryPointArn ?? ''
  expect(await world.restore(two)).toMatchObject({ Status: 'COMPLETED' })
  expect(await world.read('two')).toBe(noise(1_000, 'two').toString())
  expect((await calls.ListProtectedResources({ query: {} })).body.Results).toHaveLength(2)
  const start = {
    RecoveryPointArn: two,
    SourceBackupVaultName: 'far-away',
    DestinationBackupVaultArn: arn('backup-vault:elsewhere'),
    IamRoleArn,
    IdempotencyToken: 'once',
  }
  const started = (await calls.StartCopyJob({ body: start })).body
  expect((await calls.StartCopyJob({ body: start })).body).toEqual(started)
  await app.jobs.drain()
  const { CopyJob } = (await calls.DescribeCopyJob({ params: { copyJobId: started.CopyJobId } })).body
  expect(CopyJob).toMatchObject({ State: 'COMPLETED', DestinationRecoveryPointArn: expect.any(String) })

  // A new version replaces the timers of the old one; without selections it does nothing.
  await calls.UpdateBackupPlan({ params, body: { BackupPlan: { ...BackupPlan, BackupPlanName: 'renamed' } } })
  await expect(calls.DeleteBackupPlan({ params })).rejects.toMatchObject(
    refusal('InvalidRequestException', /selections/),
  )
  await calls.DeleteBackupSelection(selection)
  await app.clock.advance(hour + 1_000)
  await app.jobs.drain()
  expect((await calls.ListBackupJobs({ query: {} })).body.BackupJobs).toHaveLength(2)
  expect((await calls.ListBackupPlanVersions({ params, query: {} })).body.BackupPlanVersionsList).toHaveLength(2)
  await calls.DeleteBackupPlan({ params })
  expect((await calls.ListBackupPlans({ query: {} })).body.BackupPlansList).toEqual([])
  const { BackupPlansList } = (await calls.ListBackupPlans({ query: { includeDeleted: true } })).body
  expect(BackupPlansList).toMatchObject([{ BackupPlanName: 'renamed', DeletionDate: expect.any(Number) }])
})

test('supports tags, templates, settings and holds between two dates', async () => {
  const { calls } = world
  const params = { backupVaultName: 'small-print' }
  await expect(
    calls.CreateBackupVault({ params, body: { EncryptionKeyArn: 'arn:aws:kms:::key/1' } }),
  ).rejects.toMatchObject({
    status: 501,
  })
  await calls.CreateBackupVault({ params, body: { BackupVaultTags: { stage: 'test' } } })
  const vaultTags = { params: { resourceArn: arn('backup-vault:small-print') } }
  await calls.TagResource({ ...vaultTags, body: { Tags: { stage: 'live', team: 'web' } } })
  await calls.UntagResource({ ...vaultTags, body: { TagKeyList: ['team'] } })
  expect((await calls.ListTags({ ...vaultTags, query: {} })).body).toEqual({ Tags: { stage: 'live' } })
  const BackupVaultEvents = ['BACKUP_JOB_COMPLETED', 'BACKUP_JOB_COMPLETED'] as 'BACKUP_JOB_COMPLETED'[]
  await calls.PutBackupVaultNotifications({ params, body: { SNSTopicArn: 'arn:aws:sns:::told', BackupVaultEvents } })
  expect((await calls.GetBackupVaultNotifications({ params })).body).toMatchObject({
    BackupVaultEvents: ['BACKUP_JOB_COMPLETED'],
  })

  const dates = { FromDate: 2, ToDate: 1 }
  const hold = { Title: 'case 8', Description: 'another', Tags: { court: 'high' } }
  const wrong = { ...hold, RecoveryPointSelection: { DateRange: dates } }
  await expect(calls.CreateLegalHold({ body: wrong })).rejects.toMatchObject({ status: 400 })
  const right = { ...hold, RecoveryPointSelection: { DateRange: { FromDate: 1, ToDate: 2 } } }
  const created = (await calls.CreateLegalHold({ body: right })).body
  expect(created).toMatchObject({ Status: 'ACTIVE', RecoveryPointSelection: right.RecoveryPointSelection })
  const holdTags = await calls.ListTags({ params: { resourceArn: created.LegalHoldArn ?? '' }, query: {} })
  expect(holdTags.body.Tags).toEqual({ court: 'high' })

  const [template] = (await calls.ListBackupPlanTemplates({ query: {} })).body.BackupPlanTemplatesList
  const { body } = await calls.GetBackupPlanFromTemplate({
    params: { templateId: template?.BackupPlanTemplateId ?? '' },
  })
  const BackupPlanTemplateJson = JSON.stringify(body.BackupPlanDocument)
  const { body: parsed } = await calls.GetBackupPlanFromJSON({ body: { BackupPlanTemplateJson } })
  expect(parsed.BackupPlan?.BackupPlanName).toBe('Daily-35day-Retention')
  await expect(calls.GetBackupPlanFromJSON({ body: { BackupPlanTemplateJson: '{}' } })).rejects.toMatchObject({
    status: 400,
  })

  await expect(calls.UpdateGlobalSettings({ body: {} })).rejects.toMatchObject(
    refusal('InvalidRequestException', /organization/),
  )
  const ResourceTypeOptInPreference = { 'Vendor.Test/things': false }
  await calls.UpdateRegionSettings({ body: { ResourceTypeOptInPreference } })
  expect((await calls.DescribeRegionSettings({})).body).toEqual({ ResourceTypeOptInPreference })
  expect((await calls.GetSupportedResourceTypes({})).body).toEqual({ ResourceTypes: ['Vendor.Test/things'] })
})
