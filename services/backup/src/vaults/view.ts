import type { ResourceEntry } from '@icosa/kernel'
import { vaultType } from '../names.ts'
import { ownArn } from '../shapes/arns.ts'
import { seconds, timed } from '../shapes/time.ts'
import type { Vault } from './contract.ts'
import type { VaultRow } from './store.ts'

export const vaultArn = (region: string, tenant: string, name: string) =>
  ownArn({ tenant, region }, 'backup-vault', name)

export function toVault(region: string, row: VaultRow): Vault {
  return {
    BackupVaultName: row.name,
    BackupVaultArn: vaultArn(region, row.tenant, row.name),
    VaultType: row.kind,
    VaultState: 'AVAILABLE',
    CreationDate: seconds(row.createdAt),
    ...(row.creatorRequestId !== null && { CreatorRequestId: row.creatorRequestId }),
    NumberOfRecoveryPoints: row.points,
    Locked: row.locked,
    ...(row.minDays !== null && { MinRetentionDays: row.minDays }),
    ...(row.maxDays !== null && { MaxRetentionDays: row.maxDays }),
    ...timed('LockDate', row.lockAt),
  }
}

/** The vault's entry in the platform's registry. */
export function entryOf(region: string, { tenant, name, tags }: VaultRow): ResourceEntry {
  return { id: vaultArn(region, tenant, name), type: vaultType, name, location: region, tags }
}
