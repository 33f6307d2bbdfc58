import { type Db, type Page, type ReadingDb, readPage, sql } from '@icosa/kernel'
import type { Profile } from './profile.ts'

export interface Person {
  readonly id: string
  readonly email: string
  readonly emailVerified: boolean
  readonly hasPassword: boolean
  /** The tenant that they act for on the platform, and their permissions. */
  readonly tenant: string
  readonly permissions: readonly string[]
  readonly profile: Profile
  readonly disabledAt: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

export interface NewRow extends Pick<Person, 'id' | 'email' | 'emailVerified' | 'tenant' | 'permissions' | 'profile'> {
  readonly passwordHash: string | null
}

const columns = sql`id, email, email_verified as "emailVerified", password_hash is not null as "hasPassword", tenant,
  permissions, profile, disabled_at as "disabledAt", created_at as "createdAt", updated_at as "updatedAt"`

/** Returns undefined if the address has an account. */
export function insert(db: Db, row: NewRow, now: Date): Promise<Person | undefined> {
  return db.maybe(sql`
    insert into identity_connect.people
      (id, email, email_verified, password_hash, tenant, permissions, profile, created_at, updated_at)
    values (${row.id}, ${row.email}, ${row.emailVerified}, ${row.passwordHash}, ${row.tenant}, ${row.permissions},
      ${JSON.stringify(row.profile)}, ${now}, ${now})
    on conflict (lower(email)) do nothing returning ${columns}`)
}

export function find(db: ReadingDb, id: string): Promise<Person | undefined> {
  return db.maybe(sql`select ${columns} from identity_connect.people where id = ${id}`)
}

export function findByEmail(db: ReadingDb, email: string): Promise<Person | undefined> {
  return db.maybe(sql`select ${columns} from identity_connect.people where lower(email) = lower(${email})`)
}

/** Locks the row until the transaction ends. */
export function lockByEmail(db: Db, email: string): Promise<Person | undefined> {
  return db.maybe(sql`select ${columns} from identity_connect.people where lower(email) = lower(${email}) for update`)
}

/** Locks the row until the transaction ends. */
export function lock(db: Db, id: string): Promise<Person | undefined> {
  return db.maybe(sql`select ${columns} from identity_connect.people where id = ${id} for update`)
}

export function changeProfile(
  db: Db,
  id: string,
  changes: Profile,
  removed: readonly string[],
  now: Date,
): Promise<Person | undefined> {
  return db.maybe(sql`
    update identity_connect.people
    set profile = (profile || ${JSON.stringify(changes)}::jsonb) - ${removed}::text[], updated_at = ${now}
    where id = ${id} returning ${columns}`)
}

export function setVerified(db: Db, id: string, now: Date): Promise<Person> {
  return db.one(sql`
    update identity_connect.people set email_verified = true,
      updated_at = case when email_verified then updated_at else ${now} end
    where id = ${id} returning ${columns}`)
}

export interface Grant {
  readonly tenant?: string | undefined
  readonly permissions?: readonly string[] | undefined
}

/** Omitted fields stay unchanged. */
export async function setGrant(db: Db, id: string, { tenant, permissions }: Grant): Promise<void> {
  await db.run(sql`
    update identity_connect.people set tenant = coalesce(${tenant ?? null}, tenant),
      permissions = coalesce(${permissions ?? null}, permissions)
    where id = ${id}`)
}

export function setDisabledAt(db: Db, id: string, at: Date | null): Promise<Person | undefined> {
  return db.maybe(sql`
    update identity_connect.people set disabled_at = ${at} where id = ${id} returning ${columns}`)
}

export async function remove(db: Db, id: string): Promise<boolean> {
  return (await db.run(sql`delete from identity_connect.people where id = ${id}`)) === 1
}

export interface ListOptions {
  readonly limit: number
  readonly token?: string | undefined
  /** Only users who act for this tenant. */
  readonly tenant?: string | undefined
}

/** Ordered by address. */
export async function list(db: ReadingDb, { limit, token, tenant }: ListOptions): Promise<Page<Person>> {
  const within = tenant === undefined ? sql`true` : sql`tenant = ${tenant}`
  const page = await readPage<Person & { key: string }>(
    { limit, token, query: ['people', tenant ?? null] },
    ({ key }) => [key],
    ([key] = [''], count) =>
      db.many(sql`
        select ${columns}, lower(email) as key from identity_connect.people
        where ${within} and lower(email) > ${key} order by lower(email) limit ${count}`),
  )
  return { ...page, items: page.items.map(({ key, ...person }) => person) }
}
