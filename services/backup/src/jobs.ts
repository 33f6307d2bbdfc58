import { automaticJobsOf } from './automatic/jobs.ts'
import { backupJobsOf } from './backup-jobs/jobs.ts'
import { copyJob } from './copy-jobs/jobs.ts'
import { planJobsOf } from './plans/jobs.ts'
import { reportJobsOf } from './reports/jobs.ts'
import { restoreJobsOf } from './restore-jobs/jobs.ts'
import { testingJobsOf } from './restore-testing/jobs.ts'

export function jobsOf(region: string) {
  const copyPoint = copyJob()
  const backups = backupJobsOf(region, copyPoint)
  const restores = restoreJobsOf(region)
  return {
    copyPoint,
    backups,
    restores,
    automatic: automaticJobsOf(region, backups),
    planning: planJobsOf(region, backups),
    testing: testingJobsOf(region, restores),
    reporting: reportJobsOf(region),
  }
}

export type Jobs = ReturnType<typeof jobsOf>
