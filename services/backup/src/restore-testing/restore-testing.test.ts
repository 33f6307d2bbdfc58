import { accountOf } from '@icosa/dialects/signed/arn'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { arn, IamRoleArn, refusal, startBackup, tenant, type World } from '../testing/app.ts'
import { thingType } from '../testing/things.ts'

const hour = 3_600_000
let world: World
beforeAll(async () => {
  world = await startBackup()
  const { calls } = world
  await calls.CreateBackupVault({ params: { backupVaultName: 'daily' }, body: {} })
  await world.thing('orders', 'a, b, c', { team: 'web' })
  await world.backUp('orders', 'daily', { Lifecycle: { DeleteAfterDays: 5 } })
})
afterAll(() => world[Symbol.asyncDispose]())

test('a restore testing plan restores on schedule, waits for a validation result, and deletes the copy', async () => {
  const { calls, app } = world
  const RestoreTestingPlan = {
    RestoreTestingPlanName: 'proof',
    ScheduleExpression: 'rate(1 hour)',
    RecoveryPointSelection: { Algorithm: 'LATEST_WITHIN_WINDOW' as const, IncludeVaults: [arn('backup-vault:daily')] },
  }
  await calls.CreateRestoreTestingPlan({ body: { RestoreTestingPlan } })
  const params = { RestoreTestingPlanName: 'proof' }
  const selection = { RestoreTestingSelectionName: 'all', ProtectedResourceType: thingType, IamRoleArn }
  const both = { ...selection, ProtectedResourceArns: ['*'], ProtectedResourceConditions: {} }
  await expect(
    calls.CreateRestoreTestingSelection({ params, body: { RestoreTestingSelection: both } }),
  ).rejects.toMatchObject(refusal('InvalidParameterValueException', /either/))
  const other = `arn:aws:backup:us-east-1:${accountOf(tenant)}:backup-vault:daily`
  for (const [ProtectedResourceArns, message] of [
    [['*', '/things/orders'], /either "\*" or ARNs/],
    [[other], /is of the type AWS::Backup::BackupVault, not of the ProtectedResourceType/],
    [['orders'], /is not the name of a resource/],
    [['/things/*'], /is not the name of a resource/],
  ] as const) {
    const body = { RestoreTestingSelection: { ...selection, ProtectedResourceArns: [...ProtectedResourceArns] } }
    await expect(calls.CreateRestoreTestingSelection({ params, body })).rejects.toMatchObject(
      refusal('InvalidParameterValueException', message),
    )
  }
  const RestoreTestingSelection = {
    ...selection,
    ProtectedResourceConditions: { StringEquals: [{ Key: 'aws:ResourceTag/team', Value: 'web' }] },
    ValidationWindowHours: 2,
  }
  await calls.CreateRestoreTestingSelection({ params, body: { RestoreTestingSelection } })
  const all = { ...params, RestoreTestingSelectionName: 'all' }
  const change = { RestoreMetadataOverrides: {}, ValidationWindowHours: 2 }
  await calls.UpdateRestoreTestingSelection({ params: all, body: { RestoreTestingSelection: change } })
  expect((await calls.GetRestoreTestingSelection({ params: all })).body.RestoreTestingSelection).toMatchObject({
    ...RestoreTestingSelection,
    ...change,
  })
  const later = { ScheduleExpression: 'rate(1 hour)', ScheduleExpressionTimezone: 'Europe/Berlin', StartWindowHours: 3 }
  await calls.UpdateRestoreTestingPlan({ params, body: { RestoreTestingPlan: later } })
  await expect(calls.DeleteRestoreTestingPlan({ params })).rejects.toMatchObject(
    refusal('InvalidRequestException', /selections/),
  )

  await app.clock.advance(hour + 1_000)
  await app.jobs.drain()
  const [restored] = (await calls.ListRestoreJobs({ query: {} })).body.RestoreJobs
  expect(restored).toMatchObject({ Status: 'COMPLETED', ValidationStatus: 'VALIDATING' })
  const name = restored?.CreatedResourceArn?.split('/').at(-1) ?? ''
  expect(await world.read(name)).toBe('a, b, c')
  const job = { params: { restoreJobId: restored?.RestoreJobId ?? '' } }
  const ValidationStatusMessage = 'three orders, as it should be'
  await calls.PutRestoreValidationResult({ ...job, body: { ValidationStatus: 'VALIDATING' } })
  await app.jobs.drain()
  expect((await calls.DescribeRestoreJob(job)).body.DeletionStatus).toBeUndefined()
  await calls.PutRestoreValidationResult({ ...job, body: { ValidationStatus: 'SUCCESSFUL', ValidationStatusMessage } })
  expect((await calls.DescribeRestoreJob(job)).body).toMatchObject({ DeletionStatus: 'DELETING' })

  await calls.DeleteRestoreTestingSelection({ params: { ...params, RestoreTestingSelectionName: 'all' } })
  await app.jobs.drain()
  expect((await calls.DescribeRestoreJob(job)).body).toMatchObject({
    ValidationStatus: 'SUCCESSFUL',
    ValidationStatusMessage,
    DeletionStatus: 'SUCCESSFUL',
  })
  await expect(world.read(name)).rejects.toThrow(/ENOENT/)
  await world.thing(name, 'unrelated')
  await app.clock.advance(2 * hour)
  await app.jobs.drain()
  expect(await world.read(name), 'the end of the validation window deletes nothing more').toBe('unrelated')
  await world.forgetThing(name)
  expect((await calls.GetRestoreTestingPlan({ params })).body.RestoreTestingPlan).toMatchObject(RestoreTestingPlan)
  await calls.DeleteRestoreTestingPlan({ params })
})

test('reports contain the results of frameworks', async () => {
  const { calls, app } = world
  const control = (ControlName: string, parameters: Record<string, string> = {}) => ({
    ControlName,
    ControlInputParameters: Object.entries(parameters).map(([ParameterName, ParameterValue]) => ({
      ParameterName,
      ParameterValue,
    })),
  })
  await expect(
    calls.CreateFramework({ body: { FrameworkName: 'odd', FrameworkControls: [control('BACKUP_IS_NICE')] } }),
  ).rejects.toMatchObject({ status: 501 })
  const FrameworkControls = [
    control('BACKUP_RESOURCES_PROTECTED_BY_BACKUP_PLAN'),
    control('BACKUP_RECOVERY_POINT_MINIMUM_RETENTION_CHECK', { requiredRetentionDays: '30' }),
    control('BACKUP_LAST_RECOVERY_POINT_CREATED', { recoveryPointAgeValue: '2' }),
    control('BACKUP_RECOVERY_POINT_MANUAL_DELETION_DISABLED'),
    control('BACKUP_RESOURCES_PROTECTED_BY_BACKUP_VAULT_LOCK'),
    control('BACKUP_RECOVERY_POINT_ENCRYPTED'),
  ]
  const FrameworkTags = { house: 'all' }
  const body = { FrameworkName: 'house_rules', FrameworkControls: [], FrameworkTags, IdempotencyToken: 'once' }
  const created = await calls.CreateFramework({ body: { ...body, FrameworkControls: FrameworkControls.slice(1) } })
  expect((await calls.CreateFramework({ body: { ...body, FrameworkControls } })).body).toEqual(created.body)
  const frameworkName = 'house_rules'
  await calls.UpdateFramework({ params: { frameworkName }, body: { FrameworkControls, FrameworkDescription: 'ours' } })
  expect((await calls.DescribeFramework({ params: { frameworkName } })).body).toMatchObject({
    FrameworkControls,
    FrameworkDescription: 'ours',
    FrameworkStatus: 'ACTIVE',
  })
  const tagged = await calls.ListTags({ params: { resourceArn: created.body.FrameworkArn ?? '' }, query: {} })
  expect(tagged.body.Tags).toEqual(FrameworkTags)
  const channel = { S3BucketName: 'reports', S3KeyPrefix: 'audit', Formats: ['JSON' as const, 'CSV' as const] }
  const reportOf = async (
    ReportPlanName: string,
    ReportTemplate: 'CONTROL_COMPLIANCE_REPORT' | 'RESTORE_JOB_REPORT',
  ) => {
    const body = { ReportPlanName, ReportDeliveryChannel: channel, ReportSetting: { ReportTemplate } }
    await calls.CreateReportPlan({ body })
    await expect(calls.CreateReportPlan({ body })).rejects.toMatchObject(refusal('AlreadyExistsException', /already/))
    const params = { reportPlanName: ReportPlanName }
    const update = { ReportDeliveryChannel: { ...channel, S3KeyPrefix: 'changed' }, ReportPlanDescription: 'daily' }
    await calls.UpdateReportPlan({ params, body: update })
    expect((await calls.DescribeReportPlan({ params })).body.ReportPlan).toMatchObject(update)
    const { ReportJobId = '' } = (await calls.StartReportJob({ params: { reportPlanName: ReportPlanName }, body: {} }))
      .body
    await app.jobs.drain()
    const { ReportJob } = (await calls.DescribeReportJob({ params: { reportJobId: ReportJobId } })).body
    expect(ReportJob).toMatchObject({ Status: 'COMPLETED' })
    const [json = '', csv = ''] = ReportJob?.ReportDestination?.S3Keys ?? []
    const readReport = async (key: string) => {
      const { body } = await app.platform.blobs.get(`backup/${tenant}/reports/reports/${key}`)
      return Buffer.concat(await body.toArray()).toString()
    }
    return { items: JSON.parse(await readReport(json)).reportItems, csv: await readReport(csv) }
  }
  const { items } = await reportOf('compliance', 'CONTROL_COMPLIANCE_REPORT')
  const statuses = items.map((row: Record<string, string>) => row['Control Compliance Status'])
  expect(statuses).toEqual([
    ...['Non-compliant', 'Non-compliant', 'Compliant', 'Non-compliant', 'Non-compliant', 'Compliant'],
  ])
  const { csv } = await reportOf('restores', 'RESTORE_JOB_REPORT')
  expect(csv.split('\r\n')[1]).toContain('COMPLETED')
  const summaries = await calls.ListBackupJobSummaries({ query: { State: 'ANY', ResourceType: 'ANY' } })
  expect(summaries.body.BackupJobSummaries).toMatchObject([{ State: 'COMPLETED', ResourceType: thingType, Count: 1 }])
})
