import { Failure, invalid } from '@icosa/kernel'
import type { PropertiesInput } from '../databases/contract.ts'

/** Refuses by name what a PostgreSQL database cannot be or what is not built, rather than keeping it without effect. */
export function refuseUnsupported(properties: PropertiesInput): void {
  const { createMode = 'Default', readReplicaCount = 0, readScale, zoneRedundant, autoPauseDelay = -1 } = properties
  if (createMode !== 'Default' && createMode !== 'Copy') refuse(`createMode ${createMode}`, 'Use Default or Copy')
  if (properties.sampleName) refuse(`sampleName ${properties.sampleName}`, 'Leave it out and load your own rows')
  if (properties.catalogCollation === 'SQL_Latin1_General_CP1_CI_AS')
    refuse(`catalogCollation ${properties.catalogCollation}`, 'Leave it out')
  if (readScale === 'Enabled') refuse('readScale Enabled', 'Leave it out')
  if (readReplicaCount > 0) refuse('readReplicaCount above 0', 'Leave it out')
  if (zoneRedundant) refuse('zoneRedundant', 'Leave it out')
  if (properties.minCapacity !== undefined) refuse('minCapacity', 'Leave it out')
  if (autoPauseDelay !== -1)
    refuse('autoPauseDelay', 'Nothing would resume the database at the next sign-in: use pause and resume instead')
  for (const name of ofOtherModes)
    if (properties[name] !== undefined)
      invalid([{ at: `body/properties/${name}`, message: `cannot be used with createMode ${createMode}` }])
}

const ofOtherModes = [
  'longTermRetentionBackupResourceId',
  'recoverableDatabaseId',
  'recoveryServicesRecoveryPointId',
  'restorableDroppedDatabaseId',
  'restorePointInTime',
  'sourceDatabaseDeletionDate',
] as const

function refuse(what: string, advice: string): never {
  throw new Failure('notImplemented', `${what} is not built. ${advice}.`)
}
