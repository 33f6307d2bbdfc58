import { extensions, named, oneOf, type Static, Type } from '@icosa/contract'
import {
  Arn,
  api,
  count,
  DateTime,
  flag,
  next,
  opt,
  paged,
  Text,
  Texts,
  Token,
  text,
  time,
} from '../shapes/contract.ts'

const Status = oneOf('PENDING', 'RUNNING', 'COMPLETED', 'ABORTED', 'FAILED')
const ValidationStatus = oneOf('FAILED', 'SUCCESSFUL', 'TIMED_OUT', 'VALIDATING')
export type ValidationStatus = Static<typeof ValidationStatus>

const job = {
  AccountId: text,
  RestoreJobId: text,
  RecoveryPointArn: text,
  CreationDate: time,
  CompletionDate: time,
  Status: opt(Status),
  StatusMessage: text,
  PercentDone: text,
  BackupSizeInBytes: count,
  IamRoleArn: text,
  ExpectedCompletionTimeMinutes: count,
  CreatedResourceArn: text,
  ResourceType: text,
  RecoveryPointCreationDate: time,
  CreatedBy: opt(named('RestoreJobCreator', { RestoreTestingPlanArn: text })),
  ValidationStatus: opt(ValidationStatus),
  ValidationStatusMessage: text,
  DeletionStatus: opt(oneOf('DELETING', 'FAILED', 'SUCCESSFUL')),
  DeletionStatusMessage: text,
}
const RestoreJob = named('RestoreJobsListMember', job)
export type RestoreJob = Static<typeof RestoreJob>

const filters = {
  accountId: opt(Text),
  resourceType: opt(Text),
  createdBefore: opt(DateTime),
  createdAfter: opt(DateTime),
  status: opt(Status),
  completeBefore: opt(DateTime),
  completeAfter: opt(DateTime),
  restoreTestingPlanArn: opt(Arn),
}

export const restoreJobs = extensions({
  StartRestoreJob: api.put('/restore-jobs', {
    summary: 'Restore a resource from a recovery point.',
    body: named('StartRestoreJobInput', {
      RecoveryPointArn: Arn,
      Metadata: Texts,
      IamRoleArn: opt(Arn),
      IdempotencyToken: opt(Token),
      ResourceType: opt(Text),
      CopySourceTagsToRestoredResource: flag,
    }),
    replies: { 200: named('StartRestoreJobOutput', { RestoreJobId: Type.String() }) },
  }),
  DescribeRestoreJob: api.get('/restore-jobs/{restoreJobId}', {
    summary: 'Read a restore job.',
    replies: { 200: named('DescribeRestoreJobOutput', job) },
  }),
  GetRestoreJobMetadata: api.get('/restore-jobs/{restoreJobId}/metadata', {
    summary: 'Read the metadata of a restore job.',
    replies: { 200: named('GetRestoreJobMetadataOutput', { RestoreJobId: text, Metadata: opt(Texts) }) },
  }),
  PutRestoreValidationResult: api.put('/restore-jobs/{restoreJobId}/validations', {
    summary: 'Set the validation result of a restore test.',
    body: named('PutRestoreValidationResultInput', { ValidationStatus, ValidationStatusMessage: opt(Text) }),
    replies: { 204: null },
  }),
  ListRestoreJobs: api.get('/restore-jobs/', {
    summary: 'List restore jobs, the newest first.',
    query: Type.Object({ ...paged, ...filters }),
    replies: { 200: named('ListRestoreJobsOutput', { RestoreJobs: Type.Array(RestoreJob), ...next }) },
  }),
  ListRestoreJobsByProtectedResource: api.get('/resources/{resourceArn}/restore-jobs/', {
    summary: 'List the restore jobs of a resource, the newest first.',
    query: Type.Object({
      ...paged,
      status: opt(Status),
      recoveryPointCreationDateAfter: opt(DateTime),
      recoveryPointCreationDateBefore: opt(DateTime),
    }),
    replies: {
      200: named('ListRestoreJobsByProtectedResourceOutput', { RestoreJobs: Type.Array(RestoreJob), ...next }),
    },
  }),
})
