import type { ResourceEntry } from '@icosa/kernel'
import { planType } from '../names.ts'
import { ownArn } from '../shapes/arns.ts'
import { seconds, timed } from '../shapes/time.ts'
import type { PlanMember } from './contract.ts'
import type { PlanRow } from './store.ts'

type Identified = Pick<PlanRow, 'tenant' | 'planId'>

export const planArn = (region: string, { tenant, planId }: Identified) =>
  ownArn({ tenant, region }, 'backup-plan', planId)

export const identified = (region: string, row: PlanRow) => ({
  BackupPlanId: row.planId,
  BackupPlanArn: planArn(region, row),
  CreationDate: seconds(row.createdAt),
  VersionId: row.id,
})

export function toMember(region: string, row: PlanRow): PlanMember {
  return {
    ...identified(region, row),
    BackupPlanName: row.document.BackupPlanName,
    ...about(row),
  }
}

export const about = ({ creatorRequestId, deletedAt, lastRunAt }: PlanRow) => ({
  ...(creatorRequestId !== null && { CreatorRequestId: creatorRequestId }),
  ...timed('DeletionDate', deletedAt),
  ...timed('LastExecutionDate', lastRunAt),
})

/** The plan's entry in the platform's registry. */
export function entryOf(region: string, row: Identified & Pick<PlanRow, 'document' | 'tags'>): ResourceEntry {
  const { tags, document } = row
  return { id: planArn(region, row), type: planType, name: document.BackupPlanName, location: region, tags }
}
