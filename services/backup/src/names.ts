export const serviceName = 'backup'

/** The service name in a signature's scope and in ARNs. */
export const signingNames = ['backup'] as const

export const vaultType = 'AWS::Backup::BackupVault'
export const planType = 'AWS::Backup::BackupPlan'

export const ordinaryVault = 'BACKUP_VAULT'
export const airGappedVault = 'LOGICALLY_AIR_GAPPED_BACKUP_VAULT'
