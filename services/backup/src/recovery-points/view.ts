import { ownArn } from '../shapes/arns.ts'
import { seconds, timed } from '../shapes/time.ts'
import { vaultArn } from '../vaults/view.ts'
import type { RecoveryPoint } from './contract.ts'
import { calculated, coldAt, toLifecycle } from './lifecycle.ts'
import type { PointRow } from './store.ts'

export const pointArn = (region: string, { tenant, id }: Pick<PointRow, 'tenant' | 'id'>) =>
  ownArn({ tenant, region }, 'recovery-point', id)

export function toPoint(region: string, row: PointRow): RecoveryPoint {
  const { tenant, sourceVault } = row
  return {
    RecoveryPointArn: pointArn(region, row),
    BackupVaultName: row.vault,
    BackupVaultArn: vaultArn(region, tenant, row.vault),
    ...(sourceVault !== null && { SourceBackupVaultArn: vaultArn(region, tenant, sourceVault) }),
    ResourceArn: row.resourceArn,
    ResourceType: row.resourceType,
    ResourceName: row.resourceName,
    ...(row.createdBy && { CreatedBy: row.createdBy }),
    IamRoleArn: row.roleArn,
    Status: row.status,
    ...(row.statusMessage !== null && { StatusMessage: row.statusMessage }),
    CreationDate: seconds(row.createdAt),
    CompletionDate: seconds(row.completedAt),
    BackupSizeInBytes: row.bytes,
    Lifecycle: toLifecycle(row),
    CalculatedLifecycle: calculated(row),
    IsEncrypted: true,
    ...timed('LastRestoreTime', row.lastRestoredAt),
    IsParent: false,
    VaultType: row.vaultKind,
  }
}

export function storageClass(row: PointRow, now: Date): 'WARM' | 'COLD' {
  const at = coldAt(row)
  return at !== null && at <= now ? 'COLD' : 'WARM'
}
