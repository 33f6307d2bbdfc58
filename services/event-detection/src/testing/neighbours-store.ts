import { type ReadingDb, sql } from '@icosa/kernel'

/** Number of messages that a detector has counted. */
export async function countedBy(db: ReadingDb, tenant: string, key: string): Promise<number> {
  const row = await db.maybe<{ count: number }>(sql`
    select (state->'variables'->>'count')::int as count from event_detection.instances
    where tenant = ${tenant} and key = ${key}`)
  return row?.count ?? 0
}

/** Number of queued messages of a tenant. */
export async function waitingOf(db: ReadingDb, tenant: string): Promise<number> {
  const { count } = await db.one<{ count: number }>(sql`
    select coalesce(sum(messages), 0)::int as count from event_detection.mailbox where tenant = ${tenant}`)
  return count
}

/** Whether jobs of the service are pending. */
export async function isBusy(db: ReadingDb, service: string): Promise<boolean> {
  const { busy } = await db.one<{ busy: boolean }>(sql`
    select exists (select from icosa.jobs where queue = ${service}) as busy`)
  return busy
}
