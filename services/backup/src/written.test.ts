import type { Operation } from '@icosa/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as contracts from './contract.ts'
import { type Calls, IamRoleArn, startBackup, type World } from './testing/app.ts'
import {
  backupPlan,
  controls,
  heldPoints,
  Lifecycle,
  pairs,
  report,
  selecting,
  selection,
  testing,
} from './testing/documents.ts'
import { fieldsOf, type JsonSchema, valueAt, type Writing, writing } from './testing/fields.ts'
import { refusals } from './testing/refusals.ts'
import { thingType } from './testing/things.ts'

// Sends all fields of each Create* and Update* operation at once and reads them back, and checks that none of the contract is
// missing.
let world: World
let calls: Calls
let point = ''
const ids = { plan: '', selection: '', hold: '' }
beforeAll(async () => {
  world = await startBackup()
  calls = world.calls
  for (const backupVaultName of ['daily', 'second'])
    await calls.CreateBackupVault({ params: { backupVaultName }, body: {} })
  await world.thing('orders', 'x')
  point = await world.backUp('orders', 'daily')
})
afterAll(() => world[Symbol.asyncDispose]())

const of = { params: { RestoreTestingPlanName: 'written' } }
const selected = { params: { ...of.params, RestoreTestingSelectionName: 'written' } }
const tagsOf = async (resourceArn: string) => (await calls.ListTags({ params: { resourceArn } })).body.Tags

const token = 'idempotency: src/restore-testing/restore-testing.test.ts'
const continuous =
  'rejected without support for continuous backups: plans/plans.test.ts; read back in tests/backups/continuous.test.ts'
const notSupported = 'rejected with 501: the last test here'

const writings: Readonly<Record<string, () => Writing>> = {
  CreateBackupVault: () =>
    writing(
      { BackupVaultTags: { stage: 'live' }, CreatorRequestId: 'mine' },
      {
        send: (body) => calls.CreateBackupVault({ params: { backupVaultName: 'written' }, body }),
        read: async () => {
          const { body } = await calls.DescribeBackupVault({ params: { backupVaultName: 'written' }, query: {} })
          return { ...body, BackupVaultTags: await tagsOf(body.BackupVaultArn ?? '') }
        },
        elsewhere: { EncryptionKeyArn: notSupported },
      },
    ),
  CreateLegalHold: () =>
    writing(
      { Title: 'written', Description: 'a case', Tags: { stage: 'live' }, RecoveryPointSelection: heldPoints },
      {
        send: async (body) => {
          ids.hold = (await calls.CreateLegalHold({ body })).body.LegalHoldId ?? ''
        },
        read: async () => {
          const { body } = await calls.GetLegalHold({ params: { legalHoldId: ids.hold } })
          return { ...body, Tags: await tagsOf(body.LegalHoldArn ?? '') }
        },
        elsewhere: { IdempotencyToken: token },
      },
    ),
  CreateBackupPlan: () =>
    writing(
      { BackupPlan: backupPlan('written'), BackupPlanTags: { stage: 'live' }, CreatorRequestId: 'mine' },
      {
        send: async (body) => {
          ids.plan = (await calls.CreateBackupPlan({ body })).body.BackupPlanId ?? ''
        },
        read: async () => {
          const { body } = await calls.GetBackupPlan({ params: { backupPlanId: ids.plan }, query: {} })
          return { ...body, BackupPlanTags: await tagsOf(body.BackupPlanArn ?? '') }
        },
        elsewhere: {
          'BackupPlan.AdvancedBackupSettings': notSupported,
          'BackupPlan.Rules.EnableContinuousBackup': continuous,
        },
      },
    ),
  UpdateBackupPlan: () =>
    writing(
      { BackupPlan: backupPlan('changed') },
      {
        send: (body) => calls.UpdateBackupPlan({ params: { backupPlanId: ids.plan }, body }),
        read: async () => (await calls.GetBackupPlan({ params: { backupPlanId: ids.plan }, query: {} })).body,
        elsewhere: {
          'BackupPlan.AdvancedBackupSettings': notSupported,
          'BackupPlan.Rules.EnableContinuousBackup': continuous,
        },
      },
    ),
  CreateBackupSelection: () =>
    writing(
      { BackupSelection: selection, CreatorRequestId: 'mine' },
      {
        send: async (body) => {
          const created = await calls.CreateBackupSelection({ params: { backupPlanId: ids.plan }, body })
          ids.selection = created.body.SelectionId ?? ''
        },
        read: async () =>
          (await calls.GetBackupSelection({ params: { backupPlanId: ids.plan, selectionId: ids.selection } })).body,
      },
    ),
  CreateFramework: () =>
    writing(
      {
        FrameworkName: 'written',
        FrameworkDescription: 'ours',
        FrameworkControls: controls('7'),
        FrameworkTags: { stage: 'live' },
      },
      {
        send: (body) => calls.CreateFramework({ body }),
        read: async () => {
          const { body } = await calls.DescribeFramework({ params: { frameworkName: 'written' } })
          return { ...body, FrameworkTags: await tagsOf(body.FrameworkArn ?? '') }
        },
        elsewhere: { IdempotencyToken: token },
      },
    ),
  UpdateFramework: () =>
    writing(
      { FrameworkDescription: 'changed', FrameworkControls: controls('8') },
      {
        send: (body) => calls.UpdateFramework({ params: { frameworkName: 'written' }, body }),
        read: async () => (await calls.DescribeFramework({ params: { frameworkName: 'written' } })).body,
        elsewhere: { IdempotencyToken: token },
      },
    ),
  CreateReportPlan: () =>
    writing(
      { ReportPlanName: 'written', ReportPlanDescription: 'ours', ReportPlanTags: { stage: 'live' }, ...report('a') },
      {
        send: (body) => calls.CreateReportPlan({ body }),
        read: async () => {
          const { body } = await calls.DescribeReportPlan({ params: { reportPlanName: 'written' } })
          return { ...body.ReportPlan, ReportPlanTags: await tagsOf(body.ReportPlan?.ReportPlanArn ?? '') }
        },
        elsewhere: scopes,
      },
    ),
  UpdateReportPlan: () =>
    writing(
      { ReportPlanDescription: 'changed', ...report('b') },
      {
        send: (body) => calls.UpdateReportPlan({ params: { reportPlanName: 'written' }, body }),
        read: async () => (await calls.DescribeReportPlan({ params: { reportPlanName: 'written' } })).body.ReportPlan,
        elsewhere: scopes,
      },
    ),
  CreateRestoreTestingPlan: () =>
    writing(
      {
        RestoreTestingPlan: { RestoreTestingPlanName: 'written', ...testing },
        CreatorRequestId: 'mine',
        Tags: { stage: 'live' },
      },
      {
        send: (body) => calls.CreateRestoreTestingPlan({ body }),
        read: async () => {
          const { RestoreTestingPlan: plan } = (await calls.GetRestoreTestingPlan(of)).body
          const { CreatorRequestId, RestoreTestingPlanArn } = plan
          return { RestoreTestingPlan: plan, CreatorRequestId, Tags: await tagsOf(RestoreTestingPlanArn) }
        },
      },
    ),
  UpdateRestoreTestingPlan: () =>
    writing(
      { RestoreTestingPlan: { ...testing, StartWindowHours: 6 } },
      {
        send: (body) => calls.UpdateRestoreTestingPlan({ ...of, body }),
        read: async () => (await calls.GetRestoreTestingPlan(of)).body,
      },
    ),
  CreateRestoreTestingSelection: () =>
    writing(
      {
        RestoreTestingSelection: {
          RestoreTestingSelectionName: 'written',
          ProtectedResourceType: thingType,
          IamRoleArn,
          ProtectedResourceConditions: {
            StringEquals: pairs,
            StringNotEquals: [{ Key: 'aws:ResourceTag/x', Value: 'y' }],
          },
          ...selecting,
        },
        CreatorRequestId: 'mine',
      },
      {
        send: (body) => calls.CreateRestoreTestingSelection({ ...of, body }),
        read: async () => {
          const { RestoreTestingSelection: selection } = (await calls.GetRestoreTestingSelection(selected)).body
          return { RestoreTestingSelection: selection, CreatorRequestId: selection.CreatorRequestId }
        },
        elsewhere: {
          'RestoreTestingSelection.ProtectedResourceArns': 'instead of conditions: tests/backups/types.test.ts',
        },
      },
    ),
  UpdateRestoreTestingSelection: () =>
    writing(
      {
        RestoreTestingSelection: {
          IamRoleArn: `${IamRoleArn}s`,
          ProtectedResourceConditions: {
            StringEquals: [{ Key: 'aws:ResourceTag/a', Value: 'b' }],
            StringNotEquals: pairs,
          },
          ...selecting,
          ValidationWindowHours: 8,
        },
      },
      {
        send: (body) => calls.UpdateRestoreTestingSelection({ ...selected, body }),
        read: async () => (await calls.GetRestoreTestingSelection(selected)).body,
        elsewhere: {
          'RestoreTestingSelection.ProtectedResourceArns': 'instead of conditions: tests/backups/types.test.ts',
        },
      },
    ),
  CreateLogicallyAirGappedBackupVault: () =>
    writing(
      { BackupVaultTags: { stage: 'live' }, CreatorRequestId: 'mine', MinRetentionDays: 7, MaxRetentionDays: 70 },
      {
        send: (body) => calls.CreateLogicallyAirGappedBackupVault({ params: { backupVaultName: 'gapped' }, body }),
        read: async () => {
          const { body } = await calls.DescribeBackupVault({ params: { backupVaultName: 'gapped' } })
          return { ...body, BackupVaultTags: await tagsOf(body.BackupVaultArn ?? '') }
        },
      },
    ),
  UpdateRecoveryPointLifecycle: () =>
    writing(
      { Lifecycle },
      {
        send: (body) =>
          calls.UpdateRecoveryPointLifecycle({ params: { backupVaultName: 'daily', recoveryPointArn: point }, body }),
        read: async () =>
          (await calls.DescribeRecoveryPoint({ params: { backupVaultName: 'daily', recoveryPointArn: point } })).body,
      },
    ),
  UpdateRegionSettings: () =>
    writing(
      { ResourceTypeOptInPreference: { [thingType]: false } },
      {
        send: (body) => calls.UpdateRegionSettings({ body }),
        read: async () => (await calls.DescribeRegionSettings({})).body,
        elsewhere: { ResourceTypeManagementPreference: notSupported },
      },
    ),
}
const scopes = {
  IdempotencyToken: token,
  'ReportSetting.Accounts': notSupported,
  'ReportSetting.OrganizationUnits': notSupported,
  'ReportSetting.Regions': notSupported,
}

const operations = Object.assign({}, ...Object.values(contracts)) as Record<string, Operation>

test('covers all Create* and Update* operations but one that is always rejected', () => {
  const names = Object.keys(operations).filter((name) => /^(Create|Update)/.test(name))
  expect(names.filter((name) => !(name in writings))).toEqual(['UpdateGlobalSettings'])
})

test.each(Object.entries(writings))('%s: every field is read back', async (name, writingOf) => {
  const { sent, send, read, elsewhere = {} } = writingOf()
  const fields = fieldsOf(operations[name]?.body as unknown as JsonSchema)
  const unsent = fields.filter((field) => valueAt(sent, field.split('.')) === undefined)
  const isExplained = (field: string) =>
    Object.keys(elsewhere).some((path) => field === path || field.startsWith(`${path}.`))
  expect(
    unsent.filter((field) => !isExplained(field)),
    'send them as well',
  ).toEqual([])
  await send()
  expect(await read()).toMatchObject(sent)
})

test.each(Object.entries(refusals))('rejects %s with its name', async (name, send) => {
  await expect(send(calls)).rejects.toMatchObject({ status: 501, body: { Message: expect.stringContaining(name) } })
})
