import { randomUUID } from 'node:crypto'
import { type Db, type KeysInUse, type ReadingDb, readPage, sql } from '@icosa/kernel'
import type { Note, NoteInput } from './contract.ts'

interface Row {
  readonly id: string
  readonly title: string
  readonly text: string
  readonly publishedTimes: number
  readonly createdAt: Date
}

const columns = sql`id, title, text, published_times as "publishedTimes", created_at as "createdAt"`

const toNote = (row: Row): Note => ({ ...row, createdAt: row.createdAt.toISOString() })

export async function insert(db: Db, tenant: string, { title, text }: NoteInput, now: Date): Promise<Note> {
  const row = await db.one<Row>(sql`
    insert into example.notes (tenant, id, title, text, created_at)
    values (${tenant}, ${randomUUID()}, ${title}, ${text}, ${now}) returning ${columns}`)
  return toNote(row)
}

export async function find(db: ReadingDb, tenant: string, id: string): Promise<Note | undefined> {
  const row = await db.point<Row>(sql`select ${columns} from example.notes where tenant = ${tenant} and id = ${id}`)
  return row && toNote(row)
}

export const attachmentKey = (noteId: string) => `attachments/${noteId}`

export const attachmentsInUse: KeysInUse = async (db, tenant, keys) => {
  const rows = await db.many<{ id: string }>(sql`
    select id from example.notes
    where tenant = ${tenant} and id::text = any(${keys.map((key) => key.slice(attachmentKey('').length))})`)
  return rows.map(({ id }) => attachmentKey(id))
}

/** Locks a note against deletion until the transaction ends. */
export async function lock(db: Db, tenant: string, id: string): Promise<boolean> {
  return (
    (await db.maybe(sql`select 1 from example.notes where tenant = ${tenant} and id = ${id} for key share`)) !==
    undefined
  )
}

export async function list(db: ReadingDb, tenant: string, { limit, token }: { limit: number; token?: string }) {
  const page = await readPage<Row>(
    { limit, token, query: ['notes', tenant] },
    ({ title, id }) => [title, id],
    ([title, id] = ['', ''], count) =>
      db.many(sql`
        select ${columns} from example.notes where tenant = ${tenant} and (title, id) > (${title}, ${id})
        order by title, id limit ${count}`),
  )
  return { ...page, items: page.items.map(toNote) }
}

export async function remove(db: Db, tenant: string, id: string): Promise<boolean> {
  return (await db.run(sql`delete from example.notes where tenant = ${tenant} and id = ${id}`)) === 1
}

export async function countPublication(db: Db, tenant: string, id: string): Promise<{ publishedTimes: number }> {
  return db.one(sql`
    update example.notes set published_times = published_times + 1 where tenant = ${tenant} and id = ${id}
    returning published_times as "publishedTimes"`)
}
