import { type Db, type ReadingDb, sql } from '@icosa/kernel'

export interface Artifact {
  readonly payload: Record<string, unknown>
  readonly grantId: string | null
  readonly uid: string | null
  readonly accountId: string | null
  readonly clientId: string | null
  readonly expiresAt: Date
}

export interface Stored {
  readonly payload: Record<string, unknown>
  readonly consumedAt: Date | null
}

const columns = sql`payload, consumed_at as "consumedAt"`

/** Consumes a code and stores its token, or neither: returns false if the code is already consumed. */
export async function exchange(db: Db, codeId: string, id: string, token: Artifact, now: Date): Promise<boolean> {
  const { payload, grantId, uid, accountId, clientId, expiresAt } = token
  const stored = await db.run(sql`
    with used as (
      update identity_connect.artifacts set consumed_at = ${now}
      where model = 'AuthorizationCode' and id = ${codeId} and consumed_at is null returning 1)
    insert into identity_connect.artifacts (model, id, payload, grant_id, uid, account_id, client_id, expires_at)
    select 'AccessToken', ${id}, ${payload}::jsonb, ${grantId}, ${uid}, ${accountId}, ${clientId},
      ${expiresAt}::timestamptz from used`)
  return stored === 1
}

export async function put(db: Db, model: string, id: string, artifact: Artifact): Promise<void> {
  const { payload, grantId, uid, accountId, clientId, expiresAt } = artifact
  await db.run(sql`
    insert into identity_connect.artifacts (model, id, payload, grant_id, uid, account_id, client_id, expires_at)
    values (${model}, ${id}, ${payload}, ${grantId}, ${uid}, ${accountId}, ${clientId}, ${expiresAt})
    on conflict (model, id) do update set payload = excluded.payload, grant_id = excluded.grant_id, uid = excluded.uid,
      account_id = excluded.account_id, client_id = excluded.client_id, expires_at = excluded.expires_at`)
}

export function find(db: ReadingDb, model: string, id: string, now: Date): Promise<Stored | undefined> {
  return db.maybe(sql`
    select ${columns} from identity_connect.artifacts where model = ${model} and id = ${id} and expires_at > ${now}`)
}

export interface StoredCode extends Stored {
  /** Prefetched for the next steps of an exchange. */
  readonly grantId: string | null
  readonly grant: Record<string, unknown> | null
  readonly accountId: string | null
  readonly isAccountActive: boolean
}

/** Finds a code with its grant and the state of its user. */
export function findCode(db: Db, id: string, now: Date): Promise<StoredCode | undefined> {
  return db.maybe(sql`
    select code.payload, code.consumed_at as "consumedAt", code.grant_id as "grantId", given.payload as grant,
      code.account_id as "accountId", coalesce(person.disabled_at is null and person.id is not null, false)
        as "isAccountActive"
    from identity_connect.artifacts code
    left join identity_connect.artifacts given on given.model = 'Grant' and given.id = code.grant_id
      and given.expires_at > ${now}
    left join identity_connect.people person on person.id = code.account_id
    where code.model = 'AuthorizationCode' and code.id = ${id} and code.expires_at > ${now}`)
}

export function findByUid(db: ReadingDb, model: string, uid: string, now: Date): Promise<Stored | undefined> {
  return db.maybe(sql`
    select ${columns} from identity_connect.artifacts where model = ${model} and uid = ${uid} and expires_at > ${now}`)
}

/** Returns false if already consumed. */
export async function consume(db: Db, model: string, id: string, now: Date): Promise<boolean> {
  const consumed = await db.run(sql`
    update identity_connect.artifacts set consumed_at = ${now}
    where model = ${model} and id = ${id} and consumed_at is null`)
  return consumed === 1
}

export async function remove(db: Db, model: string, id: string): Promise<void> {
  await db.run(sql`delete from identity_connect.artifacts where model = ${model} and id = ${id}`)
}

export async function removeOfGrant(db: Db, model: string, grantId: string): Promise<void> {
  await db.run(sql`delete from identity_connect.artifacts where grant_id = ${grantId} and model = ${model}`)
}

/** Removes a grant with its tokens and codes; an interaction in progress continues. */
export async function removeGrant(db: Db, grantId: string): Promise<void> {
  await db.run(sql`
    delete from identity_connect.artifacts where (model = 'Grant' and id = ${grantId})
      or (grant_id = ${grantId} and model in ('AccessToken', 'AuthorizationCode', 'RefreshToken'))`)
}

/** Removes a user's grants to a client, and returns their ids. */
export async function removeGrantsOf(db: Db, accountId: string, clientId: string): Promise<string[]> {
  const rows = await db.many<{ id: string }>(sql`
    delete from identity_connect.artifacts
    where account_id = ${accountId} and client_id = ${clientId} and model in
      ('Grant', 'AuthorizationCode', 'AccessToken', 'RefreshToken')
    returning case when model = 'Grant' then id end as id`)
  return rows.flatMap(({ id }) => id ?? [])
}

export interface StoredSession {
  readonly uid: string
  /** The browser's name, for users. */
  readonly label: string | null
  readonly payload: Record<string, unknown>
}

export function sessionsOf(db: ReadingDb, accountId: string, now: Date): Promise<StoredSession[]> {
  return db.many(sql`
    select uid, label, payload from identity_connect.artifacts
    where account_id = ${accountId} and model = 'Session' and expires_at > ${now} order by expires_at desc limit 100`)
}

export type WhichSessions = { readonly uid: string } | { readonly allBut: string | null }

export function removeSessions(db: Db, accountId: string, which: WhichSessions): Promise<StoredSession[]> {
  const condition = 'uid' in which ? sql`uid = ${which.uid}` : sql`uid is distinct from ${which.allBut}`
  return db.many(sql`
    delete from identity_connect.artifacts where account_id = ${accountId} and model = 'Session' and ${condition}
    returning uid, label, payload`)
}

export async function labelSession(db: Db, uid: string, label: string): Promise<void> {
  await db.run(sql`update identity_connect.artifacts set label = ${label} where model = 'Session' and uid = ${uid}`)
}

export async function removeOfClient(db: Db, clientId: string): Promise<void> {
  await db.run(sql`delete from identity_connect.artifacts where client_id = ${clientId}`)
}

export async function removeAccount(db: Db, accountId: string): Promise<void> {
  await db.run(sql`delete from identity_connect.artifacts where account_id = ${accountId}`)
}

export function prune(db: Db, now: Date, limit: number): Promise<number> {
  return db.run(sql`
    delete from identity_connect.artifacts where ctid in
      (select ctid from identity_connect.artifacts where expires_at <= ${now} limit ${limit})`)
}
