import { notBuilt } from '@icosa/module/not-built'
import type { PropertiesInput } from '../databases/contract.ts'
import { unsupported } from '../unsupported.ts'

/** Rejects unsupported properties by name, instead of ignoring them. */
export function refuseUnsupported(properties: PropertiesInput): void {
  const { createMode = 'Default', readReplicaCount = 0, readScale, zoneRedundant, autoPauseDelay = -1 } = properties
  if (createMode !== 'Default' && createMode !== 'Copy') notBuilt(unsupported.createMode, `createMode ${createMode}`)
  if (properties.sampleName) notBuilt(unsupported.sampleName, `sampleName ${properties.sampleName}`)
  if (properties.catalogCollation === 'SQL_Latin1_General_CP1_CI_AS')
    notBuilt(unsupported.catalogCollation, `catalogCollation ${properties.catalogCollation}`)
  if (readScale === 'Enabled') notBuilt(unsupported.readScale)
  if (readReplicaCount > 0) notBuilt(unsupported.readReplicaCount)
  if (zoneRedundant) notBuilt(unsupported.zoneRedundant, 'zoneRedundant')
  if (properties.minCapacity !== undefined) notBuilt(unsupported.minCapacity)
  if (autoPauseDelay !== -1) notBuilt(unsupported.autoPauseDelay)
  for (const name of restoreFields) if (properties[name] !== undefined) notBuilt(unsupported.restoreFields, name)
}

const restoreFields = [
  'longTermRetentionBackupResourceId',
  'recoverableDatabaseId',
  'recoveryServicesRecoveryPointId',
  'restorableDroppedDatabaseId',
  'restorePointInTime',
  'sourceDatabaseDeletionDate',
] as const
