import { type Db, type ReadingDb, type Sql, sql } from '@icosa/kernel'
import { type ListRequest, newestFirst } from '../shapes/page-store.ts'
import type { TagMap } from '../shapes/tags.ts'
import type { RecoveryPointSelection } from './contract.ts'

export interface NewHold {
  readonly tenant: string
  readonly id: string
  readonly title: string
  readonly description: string
  readonly selection: RecoveryPointSelection
  readonly tags: TagMap
  readonly createdAt: Date
}

export interface HoldRow extends NewHold {
  readonly status: 'ACTIVE' | 'CANCELED'
  readonly cancelDescription: string | null
  readonly cancelledAt: Date | null
  readonly retainUntil: Date | null
}

const columns = sql`tenant, id, title, description, selection, tags, status, cancel_description as "cancelDescription",
  created_at as "createdAt", cancelled_at as "cancelledAt", retain_until as "retainUntil"`
const is = (tenant: string, id: string) => sql`tenant = ${tenant} and id = ${id}`

/** An empty list is stored as null, which means everything. */
const orNull = (list: readonly string[] | undefined) => (list && list.length > 0 ? list : null)
const time = (seconds: number | undefined) => (seconds === undefined ? null : new Date(seconds * 1000))

/** `resources` are ARNs in lower case. */
export async function insert(db: Db, row: NewHold, resources: readonly string[]): Promise<void> {
  const { VaultNames, DateRange } = row.selection
  await db.run(sql`
    insert into backup.legal_holds (tenant, id, title, description, status, vaults, resources, from_at, to_at, selection,
      tags, created_at)
    values (${row.tenant}, ${row.id}, ${row.title}, ${row.description}, 'ACTIVE', ${orNull(VaultNames)},
      ${orNull(resources)}, ${time(DateRange?.FromDate)},
      ${time(DateRange?.ToDate)}, ${JSON.stringify(row.selection)}, ${JSON.stringify(row.tags)}, ${row.createdAt})`)
}

export function find(db: ReadingDb, tenant: string, id: string): Promise<HoldRow | undefined> {
  return db.point(sql`select ${columns} from backup.legal_holds where ${is(tenant, id)}`)
}

export function list(db: ReadingDb, tenant: string, { limit, token }: ListRequest) {
  return newestFirst<HoldRow>({ limit, token, query: ['legal holds', tenant] }, (older, count) =>
    db.many(sql`
      select ${columns} from backup.legal_holds where tenant = ${tenant} and ${older}
      order by created_at desc, id desc limit ${count}`),
  )
}

/** Whether a hold `h` covers a recovery point `p`. */
const covers = sql`h.tenant = p.tenant and (h.vaults is null or p.vault = any(h.vaults))
  and (h.resources is null or p.resource_key = any(h.resources))
  and (h.from_at is null or p.created_at >= h.from_at) and (h.to_at is null or p.created_at <= h.to_at)`

/** Whether any active hold covers a recovery point `p`. */
export const isHeld: Sql = sql`exists (select from backup.legal_holds h where h.status = 'ACTIVE' and ${covers})`

/** Whether this hold covers a recovery point `p`. */
export const heldBy = (id: string): Sql =>
  sql`exists (select from backup.legal_holds h where h.id = ${id} and ${covers})`

/** The title of an active hold on a recovery point. */
export async function holdTitle(db: ReadingDb, tenant: string, pointId: string): Promise<string | undefined> {
  const row = await db.maybe<{ title: string }>(sql`
    select h.title from backup.recovery_points p join backup.legal_holds h on h.status = 'ACTIVE' and ${covers}
    where p.tenant = ${tenant} and p.id = ${pointId} limit 1`)
  return row?.title
}

export interface Cancellation {
  readonly description: string
  readonly at: Date
  readonly retainUntil: Date
}

/** Returns false if it is already cancelled. */
export async function cancel(db: Db, tenant: string, id: string, { description, at, retainUntil }: Cancellation) {
  const changed = await db.run(sql`
    update backup.legal_holds set status = 'CANCELED', cancel_description = ${description}, cancelled_at = ${at},
      retain_until = ${retainUntil}
    where ${is(tenant, id)} and status = 'ACTIVE'`)
  return changed === 1
}

export async function setTags(db: Db, { tenant, id }: HoldRow, tags: TagMap): Promise<void> {
  await db.run(sql`update backup.legal_holds set tags = ${JSON.stringify(tags)} where ${is(tenant, id)}`)
}
