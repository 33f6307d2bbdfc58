import { type Db, type ReadingDb, sql } from '@icosa/kernel'

export interface Login {
  readonly tenant: string
  readonly user: string
  readonly passwordHash: string
  readonly scopes: readonly string[]
}

export function findLogin(db: ReadingDb, username: string): Promise<Login | undefined> {
  return db.maybe(sql`
    select tenant, user_id as user, password_hash as "passwordHash", scopes from contribution_collection.logins
    where username = lower(${username})`)
}

export interface NewLogin extends Login {
  readonly username: string
}

/** False if the name is taken, in this tenant or another. */
export async function insertLogin(db: Db, login: NewLogin): Promise<boolean> {
  const inserted = await db.run(sql`
    insert into contribution_collection.logins (username, tenant, user_id, password_hash, scopes)
    values (lower(${login.username}), ${login.tenant}, ${login.user}, ${login.passwordHash}, ${login.scopes})
    on conflict do nothing`)
  return inserted > 0
}

export interface LoginInfo {
  readonly username: string
  readonly scopes: readonly string[]
}

export function loginsOf(db: ReadingDb, tenant: string, user: string): Promise<LoginInfo[]> {
  return db.many(sql`
    select username, scopes from contribution_collection.logins where tenant = ${tenant} and user_id = ${user}`)
}

export interface Session {
  readonly id: string
  readonly tenant: string
  readonly user: string
  readonly client: string | null
  readonly scopes: readonly string[]
}

export async function insertSession(db: Db, session: Session, at: Date, expiresAt: Date): Promise<void> {
  await db.run(sql`
    insert into contribution_collection.sessions (tenant, id, user_id, client, scopes, created_at, expires_at)
    values (${session.tenant}, ${session.id}, ${session.user}, ${session.client}, ${session.scopes}, ${at}, ${expiresAt})`)
}

export function findSession(db: ReadingDb, tenant: string, id: string): Promise<Session | undefined> {
  return db.maybe(sql`
    select tenant, id, user_id as user, client, scopes from contribution_collection.sessions
    where tenant = ${tenant} and id = ${id}`)
}

/** Counts a guess, and returns the number of guesses in the window that starts at `since`. */
export async function countGuess(db: Db, key: string, now: Date, since: Date): Promise<number> {
  const { failures } = await db.one<{ failures: number }>(sql`
    insert into contribution_collection.login_attempts as a (key, failures, last_at) values (${key}, 1, ${now})
    on conflict (key) do update set last_at = ${now},
      failures = case when a.last_at < ${since} then 1 else a.failures + 1 end
    returning failures`)
  return failures
}

/** Deletes all counters with this key prefix. */
export function deleteGuesses(db: Db, key: string): Promise<number> {
  return db.run(sql`delete from contribution_collection.login_attempts where starts_with(key, ${key})`)
}

export async function usernamesOf(db: ReadingDb, tenant: string): Promise<string[]> {
  const rows = await db.many<{ username: string }>(sql`
    select username from contribution_collection.logins where tenant = ${tenant}`)
  return rows.map(({ username }) => username)
}

export async function hasSignedIn(db: ReadingDb, key: string): Promise<boolean> {
  const row = await db.maybe(sql`select from contribution_collection.login_attempts where key = ${key} and is_welcome`)
  return row !== undefined
}

/** Resets the counter and marks its network as known for the retention of the row. */
export async function recordSignIn(db: Db, key: string): Promise<void> {
  await db.run(sql`
    update contribution_collection.login_attempts set failures = 0, is_welcome = true where key = ${key}`)
}
