import type { Absences } from '@icosa/module'

export const absent = {
  encryptionKeys: {
    name: '`EncryptionKeyArn` of a vault',
    answer: 501,
    instead: 'Every vault has a key of its own, which the master key of the platform seals.',
  },
  policyElements: {
    name: '`Condition`, `NotAction`, `NotPrincipal` and `NotResource` in an access policy',
    answer: 501,
    instead: 'Use Effect, Principal, Action and Resource.',
  },
  backupOptions: {
    name: '`BackupOptions` and `AdvancedBackupSettings`',
    answer: 501,
    instead: 'They are for Windows machines of the original, of which there are none here.',
  },
  listFilters: {
    name: '`parentJobId` and `messageCategory` in lists of jobs',
    answer: 501,
    instead: 'Filter by state; no job has children.',
  },
} as const satisfies Absences
