import { named, oneOf, type Static, Type } from '@icosa/contract'
import {
  Arn,
  api,
  count,
  DateTime,
  flag,
  Lifecycle,
  Minutes,
  Nothing,
  next,
  opt,
  paged,
  RecoveryPointCreator,
  Tags,
  Text,
  Texts,
  Time,
  Token,
  text,
  time,
  VaultName,
} from '../shapes/contract.ts'

export const backupStates = [
  'CREATED',
  'PENDING',
  'RUNNING',
  'ABORTING',
  'ABORTED',
  'COMPLETED',
  'FAILED',
  'EXPIRED',
  'PARTIAL',
] as const
const State = oneOf(...backupStates)

const job = {
  AccountId: text,
  BackupJobId: text,
  BackupVaultName: text,
  BackupVaultArn: text,
  RecoveryPointArn: text,
  ResourceArn: text,
  CreationDate: time,
  CompletionDate: time,
  State: opt(State),
  StatusMessage: text,
  PercentDone: text,
  BackupSizeInBytes: count,
  IamRoleArn: text,
  CreatedBy: opt(RecoveryPointCreator),
  ResourceType: text,
  BytesTransferred: count,
  ExpectedCompletionDate: time,
  StartBy: time,
  BackupOptions: opt(Texts),
  BackupType: text,
  ParentJobId: text,
  IsParent: flag,
  ResourceName: text,
  InitiationDate: time,
  MessageCategory: text,
}
const BackupJob = named('BackupJob', job)
export type BackupJob = Static<typeof BackupJob>

export const backupJobs = {
  StartBackupJob: api.put('/backup-jobs', {
    summary: 'Back up a resource now.',
    extension: true,
    body: named('StartBackupJobInput', {
      BackupVaultName: VaultName,
      ResourceArn: Arn,
      IamRoleArn: Arn,
      IdempotencyToken: opt(Token),
      StartWindowMinutes: opt(Minutes),
      CompleteWindowMinutes: opt(Minutes),
      Lifecycle: opt(Lifecycle),
      RecoveryPointTags: opt(Tags),
      BackupOptions: opt(Texts),
    }),
    replies: {
      200: named('StartBackupJobOutput', {
        BackupJobId: Type.String(),
        RecoveryPointArn: Type.String(),
        CreationDate: Time,
        IsParent: Type.Boolean(),
      }),
    },
  }),
  DescribeBackupJob: api.get('/backup-jobs/{backupJobId}', {
    summary: 'Read a backup job.',
    replies: {
      200: named('DescribeBackupJobOutput', {
        ...job,
        NumberOfChildJobs: count,
        ChildJobsInState: opt(Type.Record(Type.Integer())),
      }),
    },
  }),
  StopBackupJob: api.post('/backup-jobs/{backupJobId}', {
    summary: 'Stop a backup job and discard its data.',
    extension: true,
    replies: { 200: Nothing },
  }),
  ListBackupJobs: api.get('/backup-jobs/', {
    summary: 'List backup jobs, the newest first.',
    extension: true,
    query: Type.Object({
      ...paged,
      resourceArn: opt(Arn),
      state: opt(State),
      backupVaultName: opt(VaultName),
      createdBefore: opt(DateTime),
      createdAfter: opt(DateTime),
      resourceType: opt(Text),
      accountId: opt(Text),
      completeAfter: opt(DateTime),
      completeBefore: opt(DateTime),
      parentJobId: opt(Text),
      messageCategory: opt(Text),
    }),
    replies: { 200: named('ListBackupJobsOutput', { BackupJobs: Type.Array(BackupJob), ...next }) },
  }),
}
