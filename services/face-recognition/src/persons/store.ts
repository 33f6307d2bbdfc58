import { type Db, type ReadingDb, sql } from '@icosa/kernel'
import type { Change } from '../collections/store.ts'

export interface Person {
  readonly id: string
  readonly name: string
  readonly userData: string | null
  readonly faces: readonly string[]
}

export interface NewPerson extends Change {
  readonly id: string
  readonly name: string
}

export async function insert(db: Db, tenant: string, collection: string, person: NewPerson, now: Date): Promise<void> {
  const { id, name, userData = null } = person
  await db.run(sql`
    insert into face_recognition.persons (tenant, collection, id, name, user_data, created_at)
    values (${tenant}, ${collection}, ${id}, ${name}, ${userData}, ${now})`)
}

export async function hasAtLeast(db: ReadingDb, tenant: string, collection: string, count: number): Promise<boolean> {
  const nth = await db.maybe(sql`
    select 1 from face_recognition.persons where tenant = ${tenant} and collection = ${collection}
    offset ${count - 1} limit 1`)
  return nth !== undefined
}

const columns = sql`id, name, user_data as "userData", array(
  select id from face_recognition.persisted_faces as faces
  where faces.tenant = persons.tenant and faces.collection = persons.collection and person = persons.id
  order by created_at, id) as faces`

export function find(db: ReadingDb, tenant: string, collection: string, id: string): Promise<Person | undefined> {
  return db.maybe(sql`
    select ${columns} from face_recognition.persons
    where tenant = ${tenant} and collection = ${collection} and id = ${id}`)
}

/** Prevents its deletion until the transaction ends. */
export async function lock(db: Db, tenant: string, collection: string, id: string): Promise<boolean> {
  const row = await db.maybe(sql`
    select 1 from face_recognition.persons
    where tenant = ${tenant} and collection = ${collection} and id = ${id} for key share`)
  return row !== undefined
}

export function list(db: ReadingDb, tenant: string, collection: string, start: string | undefined, top: number) {
  return db.many<Person>(sql`
    select ${columns} from face_recognition.persons
    where tenant = ${tenant} and collection = ${collection}
      and id > ${start ?? '00000000-0000-0000-0000-000000000000'}::uuid
    order by id limit ${top}`)
}

export async function update(db: Db, tenant: string, collection: string, id: string, change: Change): Promise<boolean> {
  const { name = null, userData = null } = change
  const count = await db.run(sql`
    update face_recognition.persons
    set name = coalesce(${name}, name), user_data = coalesce(${userData}, user_data)
    where tenant = ${tenant} and collection = ${collection} and id = ${id}`)
  return count === 1
}

/** Deletes a person and their faces. */
export async function remove(db: Db, tenant: string, collection: string, id: string): Promise<boolean> {
  const count = await db.run(sql`
    delete from face_recognition.persons where tenant = ${tenant} and collection = ${collection} and id = ${id}`)
  await db.run(sql`
    delete from face_recognition.persisted_faces
    where tenant = ${tenant} and collection = ${collection} and person = ${id}`)
  return count === 1
}
