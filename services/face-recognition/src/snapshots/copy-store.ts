import { type Db, join, type ReadingDb, sql } from '@icosa/kernel'

export interface PersonCopy {
  readonly id: string
  readonly name: string
  readonly userData: string | null
  /** In ISO 8601. */
  readonly createdAt: string
}

export interface FaceCopy {
  readonly id: string
  readonly person: string
  readonly recognitionModel: string
  readonly userData: string | null
  /** Sealed. */
  readonly descriptor: Buffer
  readonly createdAt: string
}

const first = '00000000-0000-0000-0000-000000000000'
const createdAt = sql`to_json(created_at) #>> '{}' as "createdAt"` // in microseconds, unlike a Date

export function persons(db: ReadingDb, tenant: string, collection: string, after = first, count = 1) {
  return db.many<PersonCopy>(sql`
    select id, name, user_data as "userData", ${createdAt} from face_recognition.persons
    where tenant = ${tenant} and collection = ${collection} and id > ${after}::uuid order by id limit ${count}`)
}

export function faces(db: ReadingDb, tenant: string, collection: string, after = first, count = 1) {
  return db.many<FaceCopy>(sql`
    select id, person, recognition_model as "recognitionModel", user_data as "userData", descriptor, ${createdAt}
    from face_recognition.persisted_faces
    where tenant = ${tenant} and collection = ${collection} and id > ${after}::uuid order by id limit ${count}`)
}

export async function insertPersons(db: Db, tenant: string, collection: string, all: readonly PersonCopy[]) {
  const rows = all.map(
    ({ id, name, userData, createdAt: at }) => sql`(${tenant}, ${collection}, ${id}, ${name}, ${userData}, ${at})`,
  )
  await db.run(sql`
    insert into face_recognition.persons (tenant, collection, id, name, user_data, created_at) values ${join(rows)}`)
}

export async function insertFaces(db: Db, tenant: string, collection: string, all: readonly FaceCopy[]) {
  const rows = all.map(
    ({ id, person, recognitionModel, userData, descriptor, createdAt: at }) =>
      sql`(${tenant}, ${collection}, ${id}, ${person}, ${recognitionModel}, ${userData}, ${descriptor}, ${at})`,
  )
  await db.run(sql`
    insert into face_recognition.persisted_faces
      (tenant, collection, id, person, recognition_model, user_data, descriptor, created_at) values ${join(rows)}`)
}
