import { type Db, join, type ReadingDb, sql } from '@icosa/kernel'

export async function collectionOf(db: ReadingDb, tenant: string, id: string): Promise<string> {
  return (
    await db.one<{ uid: string }>(sql`
    select uid from face_recognition.collections where tenant = ${tenant} and id = ${id}`)
  ).uid
}

interface Face {
  readonly id: string
  readonly person: string
  readonly descriptor: Buffer
}

export async function insertPersons(db: Db, tenant: string, collection: string, faces: readonly Face[], now: Date) {
  const persons = faces.map(({ person }) => sql`(${tenant}, ${collection}, ${person}, ${person}, ${now})`)
  await db.run(sql`
    insert into face_recognition.persons (tenant, collection, id, name, created_at) values ${join(persons)}`)
  const rows = faces.map(
    ({ id, person, descriptor }) =>
      sql`(${tenant}, ${collection}, ${id}, ${person}, 'recognition_01', ${descriptor}, ${now})`,
  )
  await db.run(sql`
    insert into face_recognition.persisted_faces
      (tenant, collection, id, person, recognition_model, descriptor, created_at) values ${join(rows)}`)
}

export async function removePersons(db: Db, tenant: string, collection: string, persons: readonly string[]) {
  await db.run(sql`
    delete from face_recognition.persisted_faces
    where tenant = ${tenant} and collection = ${collection} and person = any(${persons}::uuid[])`)
  await db.run(sql`
    delete from face_recognition.persons
    where tenant = ${tenant} and collection = ${collection} and id = any(${persons}::uuid[])`)
}

export async function insertDetected(db: Db, tenant: string, faces: readonly Omit<Face, 'person'>[], now: Date) {
  const expiresAt = new Date(now.getTime() + 86_400_000)
  const rows = faces.map(({ id, descriptor }) => sql`(${tenant}, ${id}, 'recognition_01', ${descriptor}, ${expiresAt})`)
  await db.run(sql`
    insert into face_recognition.detected_faces (tenant, id, recognition_model, descriptor, expires_at)
    values ${join(rows)}`)
}
