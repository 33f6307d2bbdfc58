import { named, oneOf, type Static, Type } from '@icosa/contract'
import {
  Arn,
  api,
  count,
  DateTime,
  flag,
  Lifecycle,
  next,
  opt,
  paged,
  RecoveryPointCreator,
  Text,
  Time,
  Token,
  text,
  time,
  VaultName,
} from '../shapes/contract.ts'

const State = oneOf('CREATED', 'RUNNING', 'COMPLETED', 'FAILED', 'PARTIAL')

const CopyJob = named('CopyJob', {
  AccountId: text,
  CopyJobId: text,
  SourceBackupVaultArn: text,
  SourceRecoveryPointArn: text,
  DestinationBackupVaultArn: text,
  DestinationRecoveryPointArn: text,
  ResourceArn: text,
  CreationDate: time,
  CompletionDate: time,
  State: opt(State),
  StatusMessage: text,
  BackupSizeInBytes: count,
  IamRoleArn: text,
  CreatedBy: opt(RecoveryPointCreator),
  ResourceType: text,
  ParentJobId: text,
  IsParent: flag,
  CompositeMemberIdentifier: text,
  NumberOfChildJobs: count,
  ChildJobsInState: opt(Type.Record(Type.Integer())),
  ResourceName: text,
  MessageCategory: text,
})
export type CopyJob = Static<typeof CopyJob>

export const copyJobs = {
  StartCopyJob: api.put('/copy-jobs', {
    summary: 'Copy a recovery point to another vault.',
    extension: true,
    body: named('StartCopyJobInput', {
      RecoveryPointArn: Arn,
      SourceBackupVaultName: VaultName,
      DestinationBackupVaultArn: Arn,
      IamRoleArn: Arn,
      IdempotencyToken: opt(Token),
      Lifecycle: opt(Lifecycle),
    }),
    replies: {
      200: named('StartCopyJobOutput', { CopyJobId: Type.String(), CreationDate: Time, IsParent: Type.Boolean() }),
    },
  }),
  DescribeCopyJob: api.get('/copy-jobs/{copyJobId}', {
    summary: 'Read a copy job.',
    replies: { 200: named('DescribeCopyJobOutput', { CopyJob: opt(CopyJob) }) },
  }),
  ListCopyJobs: api.get('/copy-jobs/', {
    summary: 'List copy jobs, the newest first.',
    extension: true,
    query: Type.Object({
      ...paged,
      resourceArn: opt(Arn),
      state: opt(State),
      createdBefore: opt(DateTime),
      createdAfter: opt(DateTime),
      resourceType: opt(Text),
      destinationVaultArn: opt(Arn),
      accountId: opt(Text),
      completeBefore: opt(DateTime),
      completeAfter: opt(DateTime),
      parentJobId: opt(Text),
      messageCategory: opt(Text),
    }),
    replies: { 200: named('ListCopyJobsOutput', { CopyJobs: Type.Array(CopyJob), ...next }) },
  }),
}
