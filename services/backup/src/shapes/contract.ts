import { identifier, named, oneOf, type Static, Type, withDefault } from '@icosa/contract'
import { signed } from '@icosa/dialects/signed/contract'
import { exceptions } from '../exceptions.ts'
import { airGappedVault, ordinaryVault } from '../names.ts'

const uuid = { pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' }
const arn = { minLength: 1, maxLength: 2048 }
const vaultName = { pattern: '^[a-zA-Z0-9_-]{2,50}$' }
const auditName = { pattern: '^[a-zA-Z][a-zA-Z0-9_]{0,255}$' }
const testingName = { pattern: '^[a-zA-Z0-9_]{1,50}$' }

export const api = signed({
  version: '2018-11-15',
  message: 'Message',
  name: 'Code',
  token: 'NextToken',
  exceptions,
  members: { Arn: Type.String(), CreatorRequestId: Type.String(), Type: Type.String(), Context: Type.String() },
  params: {
    backupVaultName: identifier('vault', vaultName),
    recoveryPointArn: identifier('recovery point', arn),
    resourceArn: identifier('resource', arn),
    backupPlanId: identifier('backup plan', uuid),
    selectionId: identifier('selection', uuid),
    templateId: identifier('template', { minLength: 1, maxLength: 64 }),
    legalHoldId: identifier('legal hold', uuid),
    backupJobId: identifier('backup job', uuid),
    copyJobId: identifier('copy job', uuid),
    restoreJobId: identifier('restore job', uuid),
    reportJobId: identifier('report job', uuid),
    frameworkName: identifier('framework', auditName),
    reportPlanName: identifier('report plan', auditName),
    RestoreTestingPlanName: identifier('restore testing plan', testingName),
    RestoreTestingSelectionName: identifier('restore testing selection', testingName),
  },
})

/** Seconds since 1970, with a fraction. */
export const Time = Type.Number()
/** Times in queries are texts. */
export const DateTime = Type.String({ format: 'date-time' })
export const Text = Type.String({ maxLength: 1024 })
export const Arn = Type.String(arn)
export const VaultName = Type.String(vaultName)
/** The name of a new vault: an invalid one is rejected instead of not found. */
export const newVault = {
  backupVaultName: Type.String({ ...vaultName, description: `a name that matches ${vaultName.pattern}` }),
}
/** Parameters of operations for which the original declares no ResourceNotFoundException. */
export const withoutNotFound = {
  backupPlanId: Type.String({ ...uuid, description: 'the ID of a backup plan' }),
  legalHoldId: Type.String({ ...uuid, description: 'the ID of a legal hold' }),
  RestoreTestingPlanName: Type.String({ ...testingName, description: 'the name of a restore testing plan' }),
}
export const AuditName = Type.String(auditName)
export const TestingName = Type.String(testingName)
export const Token = Type.String({ minLength: 1, maxLength: 256 })
export const Days = Type.Integer({ minimum: 1, maximum: 36_500 })
export const Minutes = Type.Integer({ minimum: 1, maximum: 10_080 })
export const Count = Type.Integer({ minimum: 0 })
export const Texts = Type.Record(Type.String({ maxLength: 4096 }))
export const Nothing = Type.Object({})

/** At most 50 tags, each key with its limits: `tags.ts`. */
export const Tags = Type.Record(Type.String({ maxLength: 256 }))

export const opt = Type.Optional
export const text = opt(Type.String())
export const time = opt(Time)
export const count = opt(Count)
export const flag = opt(Type.Boolean())

/** Pagination parameters. Some operations capitalize them. */
const nextToken = Type.String({ maxLength: 2048 })
const maxResults = Type.Integer({ minimum: 1, maximum: 1_000 })
export const paged = { nextToken: opt(nextToken), maxResults: withDefault(maxResults, 100) }
export const capitalPaged = { NextToken: opt(nextToken), MaxResults: withDefault(maxResults, 100) }
export const next = { NextToken: text }

export const VaultType = oneOf(ordinaryVault, airGappedVault)

export const Lifecycle = named('Lifecycle', {
  MoveToColdStorageAfterDays: opt(Days),
  DeleteAfterDays: opt(Days),
  OptInToArchiveForSupportedResources: flag,
})
export type Lifecycle = Static<typeof Lifecycle>

export const CalculatedLifecycle = named('CalculatedLifecycle', { MoveToColdStorageAt: time, DeleteAt: time })

/** The rule and plan that created a recovery point. */
export const RecoveryPointCreator = named('RecoveryPointCreator', {
  BackupPlanId: text,
  BackupPlanArn: text,
  BackupPlanVersion: text,
  BackupRuleId: text,
})
export type RecoveryPointCreator = Static<typeof RecoveryPointCreator>
