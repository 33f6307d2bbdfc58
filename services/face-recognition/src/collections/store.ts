import { randomUUID } from 'node:crypto'
import { type Db, type ReadingDb, sql } from '@icosa/kernel'
import type { RecognitionModel } from '../shapes/contract.ts'
import type { Kind } from './names.ts'

export interface Collection {
  readonly id: string
  /** Stands for it wherever its id might be taken again. */
  readonly uid: string
  readonly name: string
  readonly userData: string | null
  readonly recognitionModel: RecognitionModel
  /** The blob of the last training that succeeded, and how many faces are in it. */
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

/** False if the id is taken. */
export async function insert(db: Db, tenant: string, kind: Kind, made: NewCollection, now: Date): Promise<boolean> {
  const { id, uid = randomUUID(), name, userData = null, recognitionModel } = made
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

/** The same, and nobody deletes it until the transaction ends. */
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

/** Answers the uid of what is gone. */
export async function remove(db: Db, tenant: string, kind: Kind, id: string): Promise<string | undefined> {
  const row = await db.maybe<{ uid: string }>(sql`
    delete from face_recognition.collections where tenant = ${tenant} and kind = ${kind.name} and id = ${id}
    returning uid`)
  return row?.uid
}

/** Deletes some of what was in one that is gone; answers how many rows. */
export async function clear(db: Db, tenant: string, uid: string, most: number): Promise<number> {
  const faces = await db.run(sql`
    delete from face_recognition.persisted_faces where tenant = ${tenant} and collection = ${uid} and id in
      (select id from face_recognition.persisted_faces where tenant = ${tenant} and collection = ${uid} limit ${most})`)
  const persons = await db.run(sql`
    delete from face_recognition.persons where tenant = ${tenant} and collection = ${uid} and id in
      (select id from face_recognition.persons where tenant = ${tenant} and collection = ${uid} limit ${most})`)
  return faces + persons
}

export interface Training {
  readonly gallery: string
  readonly faces: number
  readonly trainedAt: Date
}

/** Of a copy of one that was trained. */
export async function giveTraining(db: Db, tenant: string, uid: string, training: Training): Promise<void> {
  const { gallery, faces, trainedAt } = training
  await db.run(sql`
    update face_recognition.collections set gallery = ${gallery}, gallery_faces = ${faces}, trained_at = ${trainedAt},
      training_created_at = ${trainedAt}, training_action_at = ${trainedAt}, training_status = 'succeeded'
    where tenant = ${tenant} and uid = ${uid}`)
}
