import { type Db, type ReadingDb, sql } from '@icosa/kernel'

export type Purpose = 'verify' | 'reset' | 'invitation'

export interface Invitation {
  readonly tenant?: string | undefined
  readonly permissions?: readonly string[] | undefined
  /** Shown in the mail if it is an e-mail address. */
  readonly invitedBy: string
}

export interface NewLink {
  readonly purpose: Purpose
  readonly email: string
  /** The account to be verified. */
  readonly person?: string | undefined
  readonly invitation?: Invitation | undefined
}

export interface Link {
  readonly id: string
  readonly purpose: Purpose
  readonly email: string
  readonly person: string | null
  readonly invitation: Invitation | null
}

const columns = sql`id, purpose, email, person, invitation`
const isOpen = (now: Date) => sql`ended_at is null and expires_at > ${now}`

export async function countSince(db: ReadingDb, purpose: Purpose, email: string, since: Date): Promise<number> {
  const { count } = await db.one<{ count: number }>(sql`
    select count(*)::int as count from identity_connect.links
    where lower(email) = lower(${email}) and purpose = ${purpose} and created_at > ${since}`)
  return count
}

/** Ends links that a new one replaces. An invitation replaces only one of the same tenant. */
export async function endOpen(db: Db, { purpose, email, invitation }: NewLink, now: Date): Promise<void> {
  await db.run(sql`
    update identity_connect.links set ended_at = ${now}
    where lower(email) = lower(${email}) and purpose = ${purpose} and ended_at is null
      and invitation ->> 'tenant' is not distinct from ${invitation?.tenant ?? null}::text`)
}

export async function insert(db: Db, id: string, link: NewLink, now: Date, expiresAt: Date): Promise<void> {
  await db.run(sql`
    insert into identity_connect.links (id, purpose, email, person, invitation, created_at, expires_at)
    values (${id}, ${link.purpose}, ${link.email}, ${link.person ?? null},
      ${link.invitation ? JSON.stringify(link.invitation) : null}, ${now}, ${expiresAt})`)
}

export function findOpen(db: ReadingDb, id: string, now: Date): Promise<Link | undefined> {
  return db.maybe(sql`select ${columns} from identity_connect.links where id = ${id} and ${isOpen(now)}`)
}

export interface OpenInvitation {
  readonly email: string
  readonly invitation: Invitation
  readonly expiresAt: Date
}

/** Open invitations, newest first. */
export function listInvitations(
  db: ReadingDb,
  now: Date,
  { limit, tenant }: { readonly limit: number; readonly tenant?: string | undefined },
): Promise<OpenInvitation[]> {
  return db.many(sql`
    select email, invitation, expires_at as "expiresAt" from identity_connect.links
    where purpose = 'invitation' and ${isOpen(now)}
      and (${tenant ?? null}::text is null or invitation ->> 'tenant' = ${tenant ?? null})
    order by created_at desc limit ${limit}`)
}

export async function insertToken(db: Db, link: string, hash: Buffer): Promise<void> {
  await db.run(sql`insert into identity_connect.link_tokens (hash, link) values (${hash}, ${link})`)
}

const ofToken = (purpose: Purpose, hash: Buffer) => sql`
  purpose = ${purpose} and id = (select link from identity_connect.link_tokens where hash = ${hash})`

export function findByToken(db: ReadingDb, purpose: Purpose, hash: Buffer, now: Date): Promise<Link | undefined> {
  return db.maybe(sql`
    select ${columns} from identity_connect.links where ${ofToken(purpose, hash)} and ${isOpen(now)}`)
}

/** Returns undefined if the link is not open, so that it works once. */
export function endByToken(db: Db, purpose: Purpose, hash: Buffer, now: Date): Promise<Link | undefined> {
  return db.maybe(sql`
    update identity_connect.links set ended_at = ${now} where ${ofToken(purpose, hash)} and ${isOpen(now)}
    returning ${columns}`)
}

export function prune(db: Db, before: Date): Promise<number> {
  return db.run(sql`delete from identity_connect.links where expires_at < ${before}`)
}
