export const serviceName = 'backup'

/** The name in a signature's scope, and in the names of resources. */
export const signingNames = ['backup'] as const

export const vaultType = 'AWS::Backup::BackupVault'
export const planType = 'AWS::Backup::BackupPlan'

export const ordinaryVault = 'BACKUP_VAULT'
export const airGappedVault = 'LOGICALLY_AIR_GAPPED_BACKUP_VAULT'
