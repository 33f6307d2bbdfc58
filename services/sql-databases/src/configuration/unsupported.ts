import { notSupported } from '@icosa/module/not-supported'
import type { PropertiesInput } from '../databases/contract.ts'
import { unsupported } from '../unsupported.ts'

/** Rejects unsupported properties by name, instead of ignoring them. */
export function refuseUnsupported(properties: PropertiesInput): void {
  const { createMode = 'Default', readReplicaCount = 0, readScale, zoneRedundant, autoPauseDelay = -1 } = properties
  if (createMode === 'RestoreLongTermRetentionBackup' || createMode.startsWith('RestoreExternalBackup'))
    notSupported(unsupported.vaultRestores, `createMode ${createMode}`)
  if (createMode.endsWith('Secondary')) notSupported(unsupported.secondaries, `createMode ${createMode}`)
  if (properties.catalogCollation === 'SQL_Latin1_General_CP1_CI_AS')
    notSupported(unsupported.catalogCollation, `catalogCollation ${properties.catalogCollation}`)
  if (readScale === 'Enabled') notSupported(unsupported.readScale)
  if (readReplicaCount > 0) notSupported(unsupported.readReplicaCount)
  if (zoneRedundant) notSupported(unsupported.zoneRedundant, 'zoneRedundant')
  if (properties.minCapacity !== undefined) notSupported(unsupported.minCapacity)
  if (autoPauseDelay !== -1) notSupported(unsupported.autoPauseDelay)
  for (const name of vaultFields) if (properties[name] !== undefined) notSupported(unsupported.vaultFields, name)
}

const vaultFields = ['longTermRetentionBackupResourceId', 'recoveryServicesRecoveryPointId'] as const
