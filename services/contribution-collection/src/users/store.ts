import { type Db, join, type ReadingDb, type Sql, sql } from '@icosa/kernel'
import { type Page, readWindow, type Window } from '../paging/store.ts'
import { momentOf } from '../search/question.ts'

export interface UserRow {
  readonly id: string
  readonly username: string | null
  readonly displayName: string | null
  readonly bio: string | null
  readonly email: string | null
  readonly registeredAt: Date
}

/** Of `users as u`. */
const userColumns: Sql = sql`
  u.id, u.username, u.display_name as "displayName", u.bio, u.email, u.registered_at as "registeredAt"`

/** Creates a user on its first action. */
export async function ensureUser(db: Db, tenant: string, id: string, at: Date): Promise<void> {
  await db.run(sql`
    insert into contribution_collection.users (tenant, id, registered_at) values (${tenant}, ${id}, ${at})
    on conflict do nothing`)
}

export function findUser(db: ReadingDb, tenant: string, id: string): Promise<UserRow | undefined> {
  return db.maybe(sql`
    select ${userColumns} from contribution_collection.users as u where u.tenant = ${tenant} and u.id = ${id}`)
}

export async function usersByIds(
  db: ReadingDb,
  tenant: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, UserRow>> {
  if (ids.length === 0) return new Map()
  const rows = await db.many<UserRow>(sql`
    select ${userColumns} from contribution_collection.users as u where u.tenant = ${tenant} and u.id = any(${[...ids]})`)
  return new Map(rows.map((row) => [row.id, row]))
}

/** Undefined if the tenant has a user of that name. */
export function insertUser(db: Db, tenant: string, user: UserRow): Promise<UserRow | undefined> {
  return db.maybe(sql`
    insert into contribution_collection.users as u (tenant, id, username, display_name, bio, email, registered_at)
    values (${tenant}, ${user.id}, ${user.username}, ${user.displayName}, ${user.bio}, ${user.email},
      ${user.registeredAt})
    on conflict do nothing returning ${userColumns}`)
}

export interface UserFilter {
  readonly assignment?: string | undefined
  readonly country?: string | undefined
  readonly minimumContributions?: number | undefined
  readonly linkedProfile?: string | undefined
  readonly ownedBy?: string | undefined
  readonly submittedBefore?: string | undefined
  readonly submittedAfter?: string | undefined
  readonly username?: string | undefined
}

/** Condition on a user's contributions: each must match all filters. */
function submitted(filter: UserFilter, visible: Sql): Sql | undefined {
  const { assignment, country, ownedBy, submittedBefore, submittedAfter, minimumContributions } = filter
  const parts: Sql[] = []
  if (assignment !== undefined) parts.push(sql`c.assignment = ${/^[1-9]\d{0,17}$/.test(assignment) ? assignment : '0'}`)
  if (country !== undefined) parts.push(sql`c.country = ${country.toUpperCase()}`)
  if (ownedBy !== undefined) parts.push(sql`c.owner = ${ownedBy}`)
  if (submittedBefore !== undefined) parts.push(sql`c.created_at < ${momentOf(submittedBefore, 'submittedBefore')}`)
  if (submittedAfter !== undefined) parts.push(sql`c.created_at > ${momentOf(submittedAfter, 'submittedAfter')}`)
  const minimum = Math.max(minimumContributions ?? 0, parts.length > 0 ? 1 : 0)
  if (minimum === 0) return undefined
  const where = join([sql`c.tenant = u.tenant`, sql`c.author = u.id`, visible, ...parts], ' and ')
  return sql`(select count(*) from (select from contribution_collection.contributions as c where ${where}
    limit ${minimum}) as found) >= ${minimum}`
}

/** Oldest first. */
export function listUsers(
  db: ReadingDb,
  tenant: string,
  filter: UserFilter,
  visible: Sql,
  window: Window,
): Promise<Page<UserRow>> {
  const { username, linkedProfile } = filter
  const parts = [
    sql`u.tenant = ${tenant}`,
    username === undefined ? undefined : sql`lower(u.username) = lower(${username})`,
    linkedProfile === undefined
      ? undefined
      : sql`exists (select from contribution_collection.linked_profiles as p
          where p.tenant = u.tenant and p.user_id = u.id and p.type = ${linkedProfile})`,
    submitted(filter, visible),
  ].filter((part) => part !== undefined)
  const from = sql`contribution_collection.users as u where ${join(parts, ' and ')}`
  return readWindow(db, { columns: userColumns, from, order: sql`u.registered_at, u.id` }, window)
}

export interface Profile {
  readonly id: string
  readonly name?: string
  readonly email?: string
  readonly bio?: string
  readonly picture?: string
  readonly profile?: string
}

export interface ProfileRow {
  readonly type: string
  readonly profile: Profile
  readonly registeredAt: Date
}

const profileColumns: Sql = sql`p.type, p.profile, p.registered_at as "registeredAt"`

export function profilesOf(db: ReadingDb, tenant: string, user: string): Promise<ProfileRow[]> {
  return db.many(sql`
    select ${profileColumns} from contribution_collection.linked_profiles as p
    where p.tenant = ${tenant} and p.user_id = ${user} order by p.type limit 100`)
}

export function findProfile(
  db: ReadingDb,
  tenant: string,
  user: string,
  type: string,
): Promise<ProfileRow | undefined> {
  return db.maybe(sql`
    select ${profileColumns} from contribution_collection.linked_profiles as p
    where p.tenant = ${tenant} and p.user_id = ${user} and p.type = ${type}`)
}

/** Keeps the registration date unless a new one is given. */
export function putProfile(
  db: Db,
  tenant: string,
  user: string,
  type: string,
  profile: Profile,
  registered: Date | undefined,
  now: Date,
): Promise<ProfileRow> {
  return db.one(sql`
    insert into contribution_collection.linked_profiles as p (tenant, user_id, type, profile, registered_at)
    values (${tenant}, ${user}, ${type}, ${JSON.stringify(profile)}, ${registered ?? now})
    on conflict (tenant, user_id, type) do update set profile = excluded.profile,
      registered_at = coalesce(${registered ?? null}::timestamptz, p.registered_at) returning ${profileColumns}`)
}
