import { type Db, type ReadingDb, sql } from '@icosa/kernel'
import { ownRows, type RowsOf } from '@icosa/module/rows'
import type { Collection } from '../collections/store.ts'

export const collectionTable = 'face_recognition.collections'
export const personTable = 'face_recognition.persons'
export const faceTable = 'face_recognition.persisted_faces'

/** Set by a restore; the gallery is trained again, from the faces of its time. */
const restoredColumns = ['tenant', 'kind', 'id', 'uid', 'gallery', 'gallery_faces']

export function rowsOf(tenant: string, { uid }: Collection): RowsOf[] {
  const inside = sql`tenant = ${tenant} and collection = ${uid}`
  return [
    ownRows(collectionTable, sql`tenant = ${tenant} and uid = ${uid}`, 'uid', restoredColumns),
    ownRows(personTable, inside, 'id', ['tenant', 'collection']),
    ownRows(faceTable, inside, 'id', ['tenant', 'collection']),
  ]
}

export async function exists(db: ReadingDb, tenant: string, uid: string): Promise<boolean> {
  const row = await db.maybe(sql`select from face_recognition.collections where tenant = ${tenant} and uid = ${uid}`)
  return row !== undefined
}

export async function setGallery(db: Db, tenant: string, uid: string, gallery: string, faces: number): Promise<void> {
  await db.run(sql`
    update face_recognition.collections set gallery = ${gallery}, gallery_faces = ${faces}
    where tenant = ${tenant} and uid = ${uid}`)
}
