import { type Db, empty, type ReadingDb, type Sql, sql } from '@icosa/kernel'
import type { RecognitionModel } from '../shapes/contract.ts'

export interface FaceRow {
  readonly id: string
  readonly userData: string | null
}

export interface NewFace {
  readonly id: string
  /** In a list, the id of the face. */
  readonly person: string
  readonly recognitionModel: RecognitionModel
  readonly userData: string | null
  /** Sealed. */
  readonly descriptor: Buffer
}

export interface SealedFace {
  readonly id: string
  readonly person: string
  readonly descriptor: Buffer
}

const columns = sql`id, user_data as "userData"`
const ofPerson = (person: string | undefined): Sql => (person === undefined ? empty : sql`and person = ${person}`)
const first = '00000000-0000-0000-0000-000000000000'

export async function insert(db: Db, tenant: string, collection: string, face: NewFace, now: Date): Promise<void> {
  const { id, person, recognitionModel, userData, descriptor } = face
  await db.run(sql`
    insert into face_recognition.persisted_faces
      (tenant, collection, id, person, recognition_model, user_data, descriptor, created_at)
    values (${tenant}, ${collection}, ${id}, ${person}, ${recognitionModel}, ${userData}, ${descriptor}, ${now})`)
}

export function find(db: ReadingDb, tenant: string, collection: string, id: string, person?: string) {
  return db.maybe<FaceRow>(sql`
    select ${columns} from face_recognition.persisted_faces
    where tenant = ${tenant} and collection = ${collection} and id = ${id} ${ofPerson(person)}`)
}

export function list(db: ReadingDb, tenant: string, collection: string, start: string | undefined, top: number) {
  return db.many<FaceRow>(sql`
    select ${columns} from face_recognition.persisted_faces
    where tenant = ${tenant} and collection = ${collection} and id > ${start ?? first}::uuid
    order by id limit ${top}`)
}

export async function hasAtLeast(db: ReadingDb, tenant: string, collection: string, count: number): Promise<boolean> {
  const nth = await db.maybe(sql`
    select 1 from face_recognition.persisted_faces where tenant = ${tenant} and collection = ${collection}
    offset ${count - 1} limit 1`)
  return nth !== undefined
}

export async function update(
  db: Db,
  tenant: string,
  collection: string,
  id: string,
  userData = '',
  person?: string,
): Promise<boolean> {
  const count = await db.run(sql`
    update face_recognition.persisted_faces set user_data = ${userData}
    where tenant = ${tenant} and collection = ${collection} and id = ${id} ${ofPerson(person)}`)
  return count === 1
}

export async function remove(db: Db, tenant: string, collection: string, id: string, person?: string) {
  const count = await db.run(sql`
    delete from face_recognition.persisted_faces
    where tenant = ${tenant} and collection = ${collection} and id = ${id} ${ofPerson(person)}`)
  return count === 1
}

/** Finds the faces of a person, or all faces of a small list. */
export function sealed(db: ReadingDb, tenant: string, collection: string, person?: string): Promise<SealedFace[]> {
  return db.many(sql`
    select id, person, descriptor from face_recognition.persisted_faces
    where tenant = ${tenant} and collection = ${collection} ${ofPerson(person)}`)
}

export interface SealedPage {
  readonly after: Pick<SealedFace, 'id' | 'person'> | undefined
  /** Only faces created by then. */
  readonly until: Date
  readonly count: number
}

/** Lists faces ordered by person. */
export function sealedPage(db: ReadingDb, tenant: string, collection: string, page: SealedPage): Promise<SealedFace[]> {
  const { person = first, id = first } = page.after ?? {}
  return db.many(sql`
    select id, person, descriptor from face_recognition.persisted_faces
    where tenant = ${tenant} and collection = ${collection} and created_at <= ${page.until}
      and (person, id) > (${person}::uuid, ${id}::uuid)
    order by person, id limit ${page.count}`)
}

/**
 * Returns the ids that still exist. They are looked up one by one, and by person, too, so that either index works: which one
 * the planner takes depends on statistics, and for ids alone one of them reads the whole collection.
 */
export async function existing(db: ReadingDb, tenant: string, collection: string, faces: readonly FaceOfPerson[]) {
  const rows = await db.many<{ id: string }>(sql`
    select known.id from unnest(${faces.map(({ person }) => person)}::uuid[], ${faces.map(({ face }) => face)}::uuid[]) as known (person, id)
    where exists (
      select from face_recognition.persisted_faces as kept
      where kept.tenant = ${tenant} and kept.collection = ${collection} and kept.person = known.person and kept.id = known.id
      offset 0)`)
  return new Set(rows.map(({ id }) => id))
}

export interface FaceOfPerson {
  readonly face: string
  readonly person: string
}
