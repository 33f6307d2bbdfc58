import { extensions, named, oneOf, Type } from '@icosa/contract'
import { backupStates } from '../backup-jobs/contract.ts'
import { api, capitalPaged, count, next, opt, Text, text, time } from '../shapes/contract.ts'

const copyStates = [
  'CREATED',
  'RUNNING',
  'ABORTING',
  'ABORTED',
  'COMPLETING',
  'COMPLETED',
  'FAILING',
  'FAILED',
  'PARTIAL',
] as const
const restoreStates = ['CREATED', 'PENDING', 'RUNNING', 'ABORTED', 'COMPLETED', 'FAILED'] as const
const together = ['AGGREGATE_ALL', 'ANY'] as const

const query = {
  ...capitalPaged,
  AccountId: opt(Text),
  ResourceType: opt(Text),
  AggregationPeriod: opt(oneOf('ONE_DAY', 'SEVEN_DAYS', 'FOURTEEN_DAYS')),
}
const summary = {
  Region: text,
  AccountId: text,
  ResourceType: text,
  Count: count,
  StartTime: time,
  EndTime: time,
}
const period = { AggregationPeriod: text, ...next }

export const summaries = extensions({
  ListBackupJobSummaries: api.get('/audit/backup-job-summaries', {
    summary: 'Count recent backup jobs.',
    query: Type.Object({ ...query, State: opt(oneOf(...backupStates, ...together)), MessageCategory: opt(Text) }),
    replies: {
      200: named('ListBackupJobSummariesOutput', {
        BackupJobSummaries: Type.Array(named('BackupJobSummary', { ...summary, State: text, MessageCategory: text })),
        ...period,
      }),
    },
  }),
  ListCopyJobSummaries: api.get('/audit/copy-job-summaries', {
    summary: 'Count recent copy jobs.',
    query: Type.Object({ ...query, State: opt(oneOf(...copyStates, ...together)), MessageCategory: opt(Text) }),
    replies: {
      200: named('ListCopyJobSummariesOutput', {
        CopyJobSummaries: Type.Array(named('CopyJobSummary', { ...summary, State: text, MessageCategory: text })),
        ...period,
      }),
    },
  }),
  ListRestoreJobSummaries: api.get('/audit/restore-job-summaries', {
    summary: 'Count recent restore jobs.',
    query: Type.Object({ ...query, State: opt(oneOf(...restoreStates, ...together)) }),
    replies: {
      200: named('ListRestoreJobSummariesOutput', {
        RestoreJobSummaries: Type.Array(named('RestoreJobSummary', { ...summary, State: text })),
        ...period,
      }),
    },
  }),
})
