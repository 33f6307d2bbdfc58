import { type Db, type KeysInUse, type ReadingDb, sql } from '@icosa/kernel'

export interface Attachment {
  readonly id: string
  readonly uuid: string
  readonly user: string | null
  readonly contentType: string
  readonly description: string | null
  readonly createdAt: Date
}

const columns = sql`id, uuid, user_id as user, content_type as "contentType", description, created_at as "createdAt"`

export async function insertAttachment(
  db: Db,
  tenant: string,
  attachment: Omit<Attachment, 'id'> & { readonly size: number },
): Promise<string> {
  const { uuid, user, contentType, description, size, createdAt } = attachment
  const { id } = await db.one<{ id: string }>(sql`
    insert into banking.attachments (tenant, uuid, user_id, content_type, description, size, created_at)
    values (${tenant}, ${uuid}, ${user}, ${contentType}, ${description}, ${size}, ${createdAt}) returning id`)
  return id
}

export const blobKey = (uuid: string) => `attachments/${uuid}`

/** Attachments are never deleted, so only those whose transaction failed are unused. */
export const blobsInUse: KeysInUse = async (db, tenant, keys) => {
  const uuids = keys.map((key) => key.slice(blobKey('').length)).filter((text) => /^[\da-f-]{36}$/.test(text))
  const rows = await db.many<{ uuid: string }>(sql`
    select uuid from banking.attachments where tenant = ${tenant} and uuid = any(${uuids}::uuid[])`)
  return rows.map(({ uuid }) => blobKey(uuid))
}

/** Finds an attachment of a user, or a public one (`user` is null), by number. */
export function findAttachment(
  db: ReadingDb,
  tenant: string,
  user: string | null,
  id: string,
): Promise<Attachment | undefined> {
  return db.maybe(sql`
    select ${columns} from banking.attachments
    where tenant = ${tenant} and id = ${id} and user_id is not distinct from ${user}`)
}

export function publicAttachment(db: ReadingDb, tenant: string, name: string): Promise<Attachment | undefined> {
  if (/^\d+$/.test(name)) return findAttachment(db, tenant, null, name)
  return db.maybe(sql`
    select ${columns} from banking.attachments where tenant = ${tenant} and uuid::text = ${name} and user_id is null`)
}

export async function publicUuids(
  db: ReadingDb,
  tenant: string,
  uuids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db.many<{ uuid: string; contentType: string }>(sql`
    select uuid, content_type as "contentType" from banking.attachments
    where tenant = ${tenant} and uuid::text = any(${uuids}) and user_id is null`)
  return new Map(rows.map(({ uuid, contentType }) => [uuid, contentType]))
}

export interface AvatarImage {
  readonly attachment_public_uuid: string
  readonly content_type: string
  readonly width?: number
  readonly height?: number
}

export interface Avatar {
  readonly uuid: string
  readonly anchor: string | null
  readonly style: string | null
  readonly images: readonly AvatarImage[]
}

/** Returns false if the uuid is in use. */
export async function insertAvatar(db: Db, tenant: string, { uuid, anchor, style, images }: Avatar): Promise<boolean> {
  const inserted = await db.run(sql`
    insert into banking.avatars (tenant, uuid, anchor_uuid, style, images)
    values (${tenant}, ${uuid}, ${anchor}, ${style}, ${JSON.stringify(images)}) on conflict do nothing`)
  return inserted === 1
}

export function findAvatar(db: ReadingDb, tenant: string, uuid: string): Promise<Avatar | undefined> {
  return db.maybe(sql`
    select uuid, anchor_uuid as anchor, style, images from banking.avatars
    where tenant = ${tenant} and uuid::text = ${uuid}`)
}

/** Returns those of the ids that are the user's. */
export async function ownAttachments(
  db: ReadingDb,
  tenant: string,
  user: string,
  ids: readonly number[],
): Promise<Set<number>> {
  const rows = await db.many<{ id: string }>(sql`
    select id from banking.attachments
    where tenant = ${tenant} and user_id = ${user} and id = any(${ids.map(String)}::bigint[])`)
  return new Set(rows.map(({ id }) => Number(id)))
}
