import { randomUUID } from 'node:crypto'
import { type Database, sql } from '@icosa/kernel'
import * as backupJobs from '../backup-jobs/store.ts'
import * as copyJobs from '../copy-jobs/store.ts'
import * as points from '../recovery-points/store.ts'
import * as restoreJobs from '../restore-jobs/store.ts'

export interface SeededIds {
  readonly point: string
  readonly backupJob: string
  readonly copyJob: string
  readonly restoreJob: string
}

/** Inserts a recovery point and a job of every kind, without workers or restic. */
export async function seedRows(database: Database, vault: string, resourceArn: string): Promise<SeededIds> {
  const { tenant } = await database.one<{ tenant: string }>(sql`
    select tenant from backup.vaults where name = ${vault} order by created_at desc limit 1`)
  const at = new Date()
  const ids = { point: randomUUID(), backupJob: randomUUID(), copyJob: randomUUID(), restoreJob: randomUUID() }
  const of = { tenant, vault, resourceArn, resourceType: 'Vendor.Test/things', resourceName: 'seeded' }
  const by = { roleArn: 'arn:aws:iam::123456789012:role/backup', createdBy: null, tags: {}, createdAt: at }
  await database.transaction(async (db) => {
    await points.insert(db, {
      ...of,
      ...by,
      id: ids.point,
      attempt: randomUUID(),
      snapshot: '0123abcd',
      bytes: 7,
      metadata: { name: 'seeded' },
      resourceTags: {},
      sourceVault: null,
      completedAt: at,
      coldAfterDays: null,
      deleteAfterDays: null,
      optIn: null,
      deleteAt: null,
      continuous: false,
    })
    await db.run(sql`update backup.vaults set points = points + 1 where tenant = ${tenant} and name = ${vault}`)
    const pointId = ids.point
    const window = { startBy: at, completeBy: at, options: {}, copies: [], lifecycle: {}, continuousUntil: null }
    await backupJobs.insertAll(db, [
      { ...of, ...by, ...window, id: ids.backupJob, pointId, resourceId: '/things/seeded' },
    ])
    const restoreColumns = { bytes: 7, metadata: { name: 'seeded' }, copyTags: false, pointCreatedAt: at }
    await restoreJobs.insert(db, {
      ...of,
      ...by,
      ...restoreColumns,
      id: ids.restoreJob,
      pointId,
      testingPlan: 'seeded',
      validationHours: null,
    })
    const copyColumns = { sourceVault: vault, sourcePointId: pointId, pointId: randomUUID(), bytes: 7, lifecycle: {} }
    await copyJobs.insert(db, { ...of, ...by, ...copyColumns, id: ids.copyJob })
  })
  return ids
}
