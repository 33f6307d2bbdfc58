export { backupJobs } from './backup-jobs/contract.ts'
export { recoveryPoints } from './recovery-points/contract.ts'
export { restoreJobs } from './restore-jobs/contract.ts'
export { vaults } from './vaults/contract.ts'
