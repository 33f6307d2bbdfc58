import { extensions, named, type Static, Type } from '@icosa/contract'
import {
  Arn,
  api,
  flag,
  Lifecycle,
  Minutes,
  next,
  opt,
  paged,
  Tags,
  Text,
  Texts,
  text,
  time,
  VaultName,
} from '../shapes/contract.ts'

const AdvancedBackupSetting = named('AdvancedBackupSetting', { ResourceType: text, BackupOptions: opt(Texts) })
const Advanced = { AdvancedBackupSettings: opt(Type.Array(AdvancedBackupSetting, { maxItems: 10 })) }

const CopyAction = named('CopyAction', { Lifecycle: opt(Lifecycle), DestinationBackupVaultArn: Arn })

const rule = {
  RuleName: Type.String({ pattern: '^[a-zA-Z0-9_.-]{1,50}$' }),
  TargetBackupVaultName: VaultName,
  ScheduleExpression: opt(Type.String({ maxLength: 256 })),
  ScheduleExpressionTimezone: opt(Type.String({ maxLength: 64 })),
  StartWindowMinutes: opt(Minutes),
  CompletionWindowMinutes: opt(Minutes),
  Lifecycle: opt(Lifecycle),
  RecoveryPointTags: opt(Tags),
  CopyActions: opt(Type.Array(CopyAction, { maxItems: 20 })),
  EnableContinuousBackup: flag,
}
const PlanName = Type.String({ pattern: '^[a-zA-Z0-9_.-]{1,50}$' })
const BackupPlanInput = named('BackupPlanInput', {
  BackupPlanName: PlanName,
  Rules: Type.Array(named('BackupRuleInput', rule), { minItems: 1, maxItems: 100 }),
  ...Advanced,
})
export type BackupPlanInput = Static<typeof BackupPlanInput>

const BackupPlan = named('BackupPlan', {
  BackupPlanName: PlanName,
  Rules: Type.Array(named('BackupRule', { ...rule, RuleId: text })),
  ...Advanced,
})
export type BackupPlan = Static<typeof BackupPlan>

const result = { BackupPlanId: text, BackupPlanArn: text, CreationDate: time, VersionId: text, ...Advanced }
const Member = named('BackupPlansListMember', {
  BackupPlanArn: text,
  BackupPlanId: text,
  CreationDate: time,
  DeletionDate: time,
  VersionId: text,
  BackupPlanName: text,
  CreatorRequestId: text,
  LastExecutionDate: time,
  ...Advanced,
})
export type PlanMember = Static<typeof Member>

export const plans = {
  CreateBackupPlan: api.put('/backup/plans/', {
    summary: 'Create a backup plan; its rules back up the selected resources.',
    body: named('CreateBackupPlanInput', {
      BackupPlan: BackupPlanInput,
      BackupPlanTags: opt(Tags),
      CreatorRequestId: opt(Text),
    }),
    replies: { 200: named('CreateBackupPlanOutput', result) },
  }),
  UpdateBackupPlan: api.post('/backup/plans/{backupPlanId}', {
    summary: 'Replace a backup plan with a new version.',
    extension: true,
    body: named('UpdateBackupPlanInput', { BackupPlan: BackupPlanInput }),
    replies: { 200: named('UpdateBackupPlanOutput', result) },
  }),
  DeleteBackupPlan: api.delete('/backup/plans/{backupPlanId}', {
    summary: 'Delete a backup plan that has no selections. Its recovery points are kept.',
    replies: {
      200: named('DeleteBackupPlanOutput', {
        BackupPlanId: text,
        BackupPlanArn: text,
        DeletionDate: time,
        VersionId: text,
      }),
    },
  }),
  ...extensions({
    GetBackupPlan: api.get('/backup/plans/{backupPlanId}/', {
      summary: 'Read a backup plan, the latest version unless another is named.',
      query: Type.Object({ versionId: opt(Text) }),
      replies: {
        200: named('GetBackupPlanOutput', {
          ...result,
          BackupPlan: opt(BackupPlan),
          CreatorRequestId: text,
          DeletionDate: time,
          LastExecutionDate: time,
        }),
      },
    }),
    ListBackupPlans: api.get('/backup/plans/', {
      summary: 'List the backup plans.',
      query: Type.Object({ ...paged, includeDeleted: flag }),
      replies: { 200: named('ListBackupPlansOutput', { BackupPlansList: Type.Array(Member), ...next }) },
    }),
    ListBackupPlanVersions: api.get('/backup/plans/{backupPlanId}/versions/', {
      summary: 'List the versions of a backup plan, the newest first.',
      query: Type.Object(paged),
      replies: { 200: named('ListBackupPlanVersionsOutput', { BackupPlanVersionsList: Type.Array(Member), ...next }) },
    }),
    ExportBackupPlanTemplate: api.get('/backup/plans/{backupPlanId}/toTemplate/', {
      summary: 'Read a backup plan as a template.',
      replies: { 200: named('ExportBackupPlanTemplateOutput', { BackupPlanTemplateJson: text }) },
    }),
    GetBackupPlanFromJSON: api.post('/backup/template/json/toPlan', {
      summary: 'Validate a template and read its plan.',
      reads: true,
      body: named('GetBackupPlanFromJSONInput', { BackupPlanTemplateJson: Type.String({ maxLength: 65_536 }) }),
      replies: { 200: named('GetBackupPlanFromJSONOutput', { BackupPlan: opt(BackupPlan) }) },
    }),
    GetBackupPlanFromTemplate: api.get('/backup/template/plans/{templateId}/toPlan', {
      summary: 'Read one of the ready-made templates as a plan.',
      replies: { 200: named('GetBackupPlanFromTemplateOutput', { BackupPlanDocument: opt(BackupPlan) }) },
    }),
    ListBackupPlanTemplates: api.get('/backup/template/plans', {
      summary: 'List the ready-made templates.',
      query: Type.Object(paged),
      replies: {
        200: named('ListBackupPlanTemplatesOutput', {
          BackupPlanTemplatesList: Type.Array(
            named('BackupPlanTemplatesListMember', { BackupPlanTemplateId: text, BackupPlanTemplateName: text }),
          ),
          ...next,
        }),
      },
    }),
  }),
}
export { BackupPlanInput as BackupPlanInputSchema }
