import { type Db, sql } from '@icosa/kernel'
import { ownRows, type RowsOf } from '@icosa/module/rows'
import { type CollectionAddress, keyOf } from './collections/address.ts'
import type { Row } from './collections/store.ts'

export const collectionTable = 'job_scheduler.collections'
export const jobTable = 'job_scheduler.jobs'
export const statusTable = 'job_scheduler.statuses'

const address = ['tenant', 'id', 'subscription_key', 'group_key', 'name_key', 'subscription', 'resource_group', 'name']

/** A collection with its jobs and their counts, without executions and history. */
export function rowsOf({ tenant, id }: Row): RowsOf[] {
  return [
    ownRows(collectionTable, sql`tenant = ${tenant} and id = ${id}`, 'id', [...address, 'tags']),
    // With its id, which is the context of its sealed secrets; a restored job gets a new one.
    ownRows(jobTable, sql`tenant = ${tenant} and collection_id = ${id}`, 'name_key', ['tenant', 'collection_id']),
    {
      table: statusTable,
      rows: sql`
        select to_jsonb(status) - ${['tenant', 'job_id', 'history_number']}::text[]
          || jsonb_build_object('name_key', job.name_key) as line
        from job_scheduler.statuses as status join job_scheduler.jobs as job
          on job.tenant = status.tenant and job.id = status.job_id
        where job.tenant = ${tenant} and collection_id = ${id} order by job.name_key`,
    },
  ]
}

export const ownColumns = (tenant: string, id: string, address: CollectionAddress) => ({
  tenant,
  id,
  subscription_key: keyOf(address.subscriptionId),
  group_key: keyOf(address.resourceGroupName),
  name_key: keyOf(address.jobCollectionName),
  subscription: address.subscriptionId,
  resource_group: address.resourceGroupName,
  name: address.jobCollectionName,
})

/** Skips occurrences that were missed before the restore. */
export async function resume(db: Db, tenant: string, id: string, now: Date): Promise<void> {
  await db.run(sql`
    update job_scheduler.jobs set resumed_at = ${now}
    where tenant = ${tenant} and collection_id = ${id} and next_execution_at < ${now}`)
}
