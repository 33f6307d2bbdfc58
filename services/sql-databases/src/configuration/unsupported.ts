import { notBuilt } from '@icosa/module/not-built'
import { absent } from '../absent.ts'
import type { PropertiesInput } from '../databases/contract.ts'

/** Refuses by name what a PostgreSQL database cannot be or what is not built, rather than keeping it without effect. */
export function refuseUnsupported(properties: PropertiesInput): void {
  const { createMode = 'Default', readReplicaCount = 0, readScale, zoneRedundant, autoPauseDelay = -1 } = properties
  if (createMode !== 'Default' && createMode !== 'Copy') notBuilt(absent.createMode, `createMode ${createMode}`)
  if (properties.sampleName) notBuilt(absent.sampleName, `sampleName ${properties.sampleName}`)
  if (properties.catalogCollation === 'SQL_Latin1_General_CP1_CI_AS')
    notBuilt(absent.catalogCollation, `catalogCollation ${properties.catalogCollation}`)
  if (readScale === 'Enabled') notBuilt(absent.readScale)
  if (readReplicaCount > 0) notBuilt(absent.readReplicaCount)
  if (zoneRedundant) notBuilt(absent.zoneRedundant, 'zoneRedundant')
  if (properties.minCapacity !== undefined) notBuilt(absent.minCapacity)
  if (autoPauseDelay !== -1) notBuilt(absent.autoPauseDelay)
  for (const name of ofOtherModes) if (properties[name] !== undefined) notBuilt(absent.restoreFields, name)
}

const ofOtherModes = [
  'longTermRetentionBackupResourceId',
  'recoverableDatabaseId',
  'recoveryServicesRecoveryPointId',
  'restorableDroppedDatabaseId',
  'restorePointInTime',
  'sourceDatabaseDeletionDate',
] as const
