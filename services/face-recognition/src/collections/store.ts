import { randomUUID } from 'node:crypto'
import { type Db, type ReadingDb, sql } from '@icosa/kernel'
import type { RecognitionModel } from '../shapes/contract.ts'
import type { Kind } from './names.ts'

export interface Collection {
  readonly id: string
  /** Never reused, unlike the id. */
  readonly uid: string
  readonly name: string
  readonly userData: string | null
  readonly recognitionModel: RecognitionModel
  /** Blob key of the last successful training, and its number of faces. */
  readonly gallery: string | null
  readonly galleryFaces: number | null
  readonly trainingStatus: 'running' | 'succeeded' | 'failed' | null
  readonly trainingCreatedAt: Date | null
  readonly trainingActionAt: Date | null
  readonly trainingMessage: string | null
  readonly trainedAt: Date | null
}

export interface Change {
  readonly name?: string | undefined
  readonly userData?: string | undefined
}

export interface NewCollection extends Change {
  readonly id: string
  readonly uid?: string
  readonly name: string
  readonly recognitionModel: RecognitionModel
}

const columns = sql`id, uid, name, user_data as "userData", recognition_model as "recognitionModel", gallery,
  gallery_faces as "galleryFaces", training_status as "trainingStatus", training_created_at as "trainingCreatedAt",
  training_action_at as "trainingActionAt", training_message as "trainingMessage", trained_at as "trainedAt"`

/** Returns false if the id is taken. */
export async function insert(
  db: Db,
  tenant: string,
  kind: Kind,
  collection: NewCollection,
  now: Date,
): Promise<boolean> {
  const { id, uid = randomUUID(), name, userData = null, recognitionModel } = collection
  const count = await db.run(sql`
    insert into face_recognition.collections (tenant, kind, id, uid, name, user_data, recognition_model, created_at)
    values (${tenant}, ${kind.name}, ${id}, ${uid}, ${name}, ${userData}, ${recognitionModel}, ${now})
    on conflict do nothing`)
  return count === 1
}

export function find(db: ReadingDb, tenant: string, kind: Kind, id: string): Promise<Collection | undefined> {
  return db.point(sql`
    select ${columns} from face_recognition.collections
    where tenant = ${tenant} and kind = ${kind.name} and id = ${id}`)
}

/** Prevents its deletion until the transaction ends. */
export function lock(db: Db, tenant: string, kind: Kind, id: string): Promise<Collection | undefined> {
  return db.maybe(sql`
    select ${columns} from face_recognition.collections
    where tenant = ${tenant} and kind = ${kind.name} and id = ${id} for key share`)
}

export function list(db: ReadingDb, tenant: string, kind: Kind, start: string, top: number): Promise<Collection[]> {
  return db.many(sql`
    select ${columns} from face_recognition.collections
    where tenant = ${tenant} and kind = ${kind.name} and id > ${start} order by id limit ${top}`)
}

export async function update(db: Db, tenant: string, kind: Kind, id: string, change: Change): Promise<boolean> {
  const { name = null, userData = null } = change
  const count = await db.run(sql`
    update face_recognition.collections
    set name = coalesce(${name}, name), user_data = coalesce(${userData}, user_data)
    where tenant = ${tenant} and kind = ${kind.name} and id = ${id}`)
  return count === 1
}

/** Returns the uid of the deleted collection. */
export async function remove(db: Db, tenant: string, kind: Kind, id: string): Promise<string | undefined> {
  const row = await db.maybe<{ uid: string }>(sql`
    delete from face_recognition.collections where tenant = ${tenant} and kind = ${kind.name} and id = ${id}
    returning uid`)
  return row?.uid
}

/** Deletes a batch of persons and faces of a deleted collection; returns the number of rows. */
export async function clear(db: Db, tenant: string, uid: string, max: number): Promise<number> {
  const faces = await db.run(sql`
    delete from face_recognition.persisted_faces where tenant = ${tenant} and collection = ${uid} and id in
      (select id from face_recognition.persisted_faces where tenant = ${tenant} and collection = ${uid} limit ${max})`)
  const persons = await db.run(sql`
    delete from face_recognition.persons where tenant = ${tenant} and collection = ${uid} and id in
      (select id from face_recognition.persons where tenant = ${tenant} and collection = ${uid} limit ${max})`)
  return faces + persons
}

export interface Training {
  readonly gallery: string
  readonly faces: number
  readonly trainedAt: Date
}

/** Marks the copy of a trained collection as trained. */
export async function setTraining(db: Db, tenant: string, uid: string, training: Training): Promise<void> {
  const { gallery, faces, trainedAt } = training
  await db.run(sql`
    update face_recognition.collections set gallery = ${gallery}, gallery_faces = ${faces}, trained_at = ${trainedAt},
      training_created_at = ${trainedAt}, training_action_at = ${trainedAt}, training_status = 'succeeded'
    where tenant = ${tenant} and uid = ${uid}`)
}
