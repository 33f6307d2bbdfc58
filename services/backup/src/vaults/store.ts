import { type Db, type ReadingDb, type SealedColumn, sealingContext, sql, varying } from '@icosa/kernel'
import { byName, type ListRequest } from '../shapes/page-store.ts'
import type { TagMap } from '../shapes/tags.ts'
import type { Vault, VaultEvent } from './contract.ts'

export interface VaultRow {
  readonly tenant: string
  readonly name: string
  readonly id: string
  readonly kind: NonNullable<Vault['VaultType']>
  readonly password: Buffer
  readonly creatorRequestId: string | null
  readonly tags: TagMap
  readonly createdAt: Date
  readonly locked: boolean
  /** When the lock becomes permanent. */
  readonly lockAt: Date | null
  /** That time has passed, even if the clock has moved back since. */
  readonly forever: boolean
  readonly minDays: number | null
  readonly maxDays: number | null
  readonly policy: string | null
  readonly topic: string | null
  readonly events: readonly VaultEvent[]
  readonly points: number
}

export const passwords: SealedColumn = { table: 'backup.vaults', column: 'password', context: 'backup/{id}' }

/** Binds the password of a repository to its row. */
export const passwordPlace = (id: string) => sealingContext(passwords, { id })

const columns = sql`tenant, name, id, kind, password, creator_request_id as "creatorRequestId", tags,
  created_at as "createdAt", locked, lock_at as "lockAt", forever, min_days as "minDays", max_days as "maxDays", policy, topic,
  events, points::float8 as points`

const is = (tenant: string, name: string) => sql`tenant = ${tenant} and name = ${name}`

export type NewVault = Omit<VaultRow, 'forever' | 'policy' | 'topic' | 'events' | 'points'>

/** Undefined if the name exists. */
export function insert(db: Db, row: NewVault): Promise<VaultRow | undefined> {
  return db.maybe(sql`
    insert into backup.vaults (tenant, name, id, kind, password, creator_request_id, tags, created_at, locked, lock_at,
      min_days, max_days)
    values (${row.tenant}, ${row.name}, ${row.id}, ${row.kind}, ${row.password}, ${row.creatorRequestId},
      ${JSON.stringify(row.tags)}, ${row.createdAt}, ${row.locked}, ${row.lockAt}, ${row.minDays}, ${row.maxDays})
    on conflict (tenant, name) do nothing returning ${columns}`)
}

export function find(db: ReadingDb, tenant: string, name: string): Promise<VaultRow | undefined> {
  return db.point(sql`select ${columns} from backup.vaults where ${is(tenant, name)}`)
}

/** Locks the vault until the transaction ends, also against new recovery points. */
export function lock(db: Db, tenant: string, name: string): Promise<VaultRow | undefined> {
  return db.maybe(sql`select ${columns} from backup.vaults where ${is(tenant, name)} for update`)
}

export function list(db: ReadingDb, tenant: string, kind: VaultRow['kind'] | undefined, { limit, token }: ListRequest) {
  const ofKind = kind === undefined ? sql`true` : sql`kind = ${kind}`
  return byName<VaultRow>(
    { limit, token, query: ['vaults', tenant, kind] },
    ({ name }) => name,
    (after, count) =>
      db.many(
        varying(sql`
          select ${columns} from backup.vaults where tenant = ${tenant} and name > ${after} and ${ofKind}
          order by name limit ${count}`),
      ),
  )
}

export interface LockState {
  readonly locked: boolean
  readonly lockAt: Date | null
  readonly minDays: number | null
  readonly maxDays: number | null
}

export async function setLock(db: Db, { tenant, name }: VaultRow, state: LockState): Promise<void> {
  await db.run(sql`
    update backup.vaults set locked = ${state.locked}, lock_at = ${state.lockAt}, min_days = ${state.minDays},
      max_days = ${state.maxDays}
    where ${is(tenant, name)}`)
}

/** Makes locks of all tenants permanent whose date has passed. */
export async function makeLocksPermanent(db: Db, now: Date): Promise<void> {
  await db.run(sql`
    update backup.vaults set forever = true where locked and not forever and lock_at is not null and lock_at <= ${now}`)
}

export async function setPolicy(db: Db, { tenant, name }: VaultRow, policy: string | null): Promise<void> {
  await db.run(sql`update backup.vaults set policy = ${policy} where ${is(tenant, name)}`)
}

export async function setNotifications(
  db: Db,
  { tenant, name }: VaultRow,
  topic: string | null,
  events: readonly VaultEvent[],
): Promise<void> {
  await db.run(sql`update backup.vaults set topic = ${topic}, events = ${events} where ${is(tenant, name)}`)
}

export async function setTags(db: Db, { tenant, name }: VaultRow, tags: TagMap): Promise<void> {
  await db.run(sql`update backup.vaults set tags = ${JSON.stringify(tags)} where ${is(tenant, name)}`)
}

export async function countPoints(db: Db, tenant: string, name: string, by: number): Promise<void> {
  await db.run(sql`update backup.vaults set points = points + ${by} where ${is(tenant, name)}`)
}

/** Whether its repository has snapshots; continuous recovery points are stored elsewhere. */
export async function hasSnapshots(db: ReadingDb, { tenant, name }: VaultRow): Promise<boolean> {
  const row = await db.maybe(sql`
    select from backup.recovery_points where tenant = ${tenant} and vault = ${name} and not continuous limit 1`)
  return row !== undefined
}

/** Whether a job is about to write to it. */
export async function isBusy(db: ReadingDb, tenant: string, name: string): Promise<boolean> {
  const row = await db.maybe(sql`
    select from backup.backup_jobs
    where tenant = ${tenant} and vault = ${name} and state in ('CREATED', 'RUNNING', 'ABORTING')
    union all select from backup.copy_jobs where tenant = ${tenant} and vault = ${name} and completed_at is null limit 1`)
  return row !== undefined
}

export async function remove(db: Db, { tenant, name }: VaultRow): Promise<void> {
  await db.run(sql`delete from backup.vaults where ${is(tenant, name)}`)
}
