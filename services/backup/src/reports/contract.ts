import { extensions, named, oneOf, type Static, Type } from '@icosa/contract'
import {
  Arn,
  AuditName,
  api,
  capitalPaged,
  count,
  DateTime,
  Nothing,
  next,
  opt,
  Tags,
  Text,
  Token,
  text,
  time,
} from '../shapes/contract.ts'

const ReportDeliveryChannel = named('ReportDeliveryChannel', {
  S3BucketName: Type.String({ pattern: '^[a-zA-Z0-9._-]{3,63}$' }),
  S3KeyPrefix: opt(Type.String({ pattern: '^[a-zA-Z0-9!_.*()/-]{0,512}$' })),
  Formats: opt(Type.Array(oneOf('CSV', 'JSON'), { minItems: 1, maxItems: 2 })),
})
export type ReportDeliveryChannel = Static<typeof ReportDeliveryChannel>

export const reportTemplates = [
  'BACKUP_JOB_REPORT',
  'COPY_JOB_REPORT',
  'RESTORE_JOB_REPORT',
  'CONTROL_COMPLIANCE_REPORT',
  'RESOURCE_COMPLIANCE_REPORT',
] as const
export type ReportTemplate = (typeof reportTemplates)[number]

const Strings = opt(Type.Array(Text, { maxItems: 100 }))
const ReportSetting = named('ReportSetting', {
  ReportTemplate: oneOf(...reportTemplates),
  FrameworkArns: opt(Type.Array(Arn, { maxItems: 100 })),
  NumberOfFrameworks: count,
  Accounts: Strings,
  OrganizationUnits: Strings,
  Regions: Strings,
})
export type ReportSetting = Static<typeof ReportSetting>

const ReportPlan = named('ReportPlan', {
  ReportPlanArn: text,
  ReportPlanName: text,
  ReportPlanDescription: text,
  ReportSetting: opt(ReportSetting),
  ReportDeliveryChannel: opt(ReportDeliveryChannel),
  DeploymentStatus: text,
  CreationTime: time,
  LastAttemptedExecutionTime: time,
  LastSuccessfulExecutionTime: time,
})
export type ReportPlan = Static<typeof ReportPlan>

const ReportJob = named('ReportJob', {
  ReportJobId: text,
  ReportPlanArn: text,
  ReportTemplate: text,
  CreationTime: time,
  CompletionTime: time,
  Status: text,
  StatusMessage: text,
  ReportDestination: opt(named('ReportDestination', { S3BucketName: text, S3Keys: opt(Type.Array(Type.String())) })),
})
export type ReportJob = Static<typeof ReportJob>

const result = { ReportPlanName: text, ReportPlanArn: text, CreationTime: time }
const changes = { ReportPlanDescription: opt(Text), IdempotencyToken: opt(Token) }

export const reports = {
  CreateReportPlan: api.post('/audit/report-plans', {
    summary: 'Create a report plan, which generates a report every day.',
    body: named('CreateReportPlanInput', {
      ReportPlanName: AuditName,
      ReportDeliveryChannel,
      ReportSetting,
      ReportPlanTags: opt(Tags),
      ...changes,
    }),
    replies: { 200: named('CreateReportPlanOutput', result) },
  }),
  DescribeReportPlan: api.get('/audit/report-plans/{reportPlanName}', {
    summary: 'Read a report plan.',
    extension: true,
    replies: { 200: named('DescribeReportPlanOutput', { ReportPlan: opt(ReportPlan) }) },
  }),
  UpdateReportPlan: api.put('/audit/report-plans/{reportPlanName}', {
    summary: 'Change a report plan.',
    extension: true,
    body: named('UpdateReportPlanInput', {
      ReportDeliveryChannel: opt(ReportDeliveryChannel),
      ReportSetting: opt(ReportSetting),
      ...changes,
    }),
    replies: { 200: named('UpdateReportPlanOutput', result) },
  }),
  DeleteReportPlan: api.delete('/audit/report-plans/{reportPlanName}', {
    summary: 'Delete a report plan. Its reports are kept.',
    replies: { 200: Nothing },
  }),
  ...extensions({
    ListReportPlans: api.get('/audit/report-plans', {
      summary: 'List the report plans.',
      query: Type.Object(capitalPaged),
      replies: { 200: named('ListReportPlansOutput', { ReportPlans: Type.Array(ReportPlan), ...next }) },
    }),
    StartReportJob: api.post('/audit/report-jobs/{reportPlanName}', {
      summary: 'Start a report job.',
      body: named('StartReportJobInput', { IdempotencyToken: opt(Token) }),
      replies: { 200: named('StartReportJobOutput', { ReportJobId: text }) },
    }),
    DescribeReportJob: api.get('/audit/report-jobs/{reportJobId}', {
      summary: 'Read a report job.',
      replies: { 200: named('DescribeReportJobOutput', { ReportJob: opt(ReportJob) }) },
    }),
    ListReportJobs: api.get('/audit/report-jobs', {
      summary: 'List report jobs, the newest first.',
      query: Type.Object({
        ...capitalPaged,
        ReportPlanName: opt(AuditName),
        CreationBefore: opt(DateTime),
        CreationAfter: opt(DateTime),
        Status: opt(Text),
      }),
      replies: { 200: named('ListReportJobsOutput', { ReportJobs: Type.Array(ReportJob), ...next }) },
    }),
  }),
}
