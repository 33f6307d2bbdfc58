import { type Db, type ReadingDb, sql } from '@icosa/kernel'

/** Blob key of a gallery, and its number of faces. */
export interface TrainedGallery {
  readonly gallery: string
  readonly faces: number
}

export async function request(db: Db, tenant: string, uid: string, now: Date): Promise<void> {
  await db.run(sql`
    update face_recognition.collections set training_status = 'running', training_created_at = ${now},
      training_action_at = ${now}, training_message = null
    where tenant = ${tenant} and uid = ${uid}`)
}

export interface Trained extends TrainedGallery {
  /** Trainings requested later need another run. */
  readonly startedAt: Date
  readonly now: Date
}

/** Returns false if the group or list was deleted. */
export async function succeed(db: Db, tenant: string, uid: string, trained: Trained): Promise<boolean> {
  const { gallery, faces, startedAt, now } = trained
  const count = await db.run(sql`
    update face_recognition.collections set gallery = ${gallery}, gallery_faces = ${faces}, trained_at = ${startedAt},
      training_action_at = ${now}, training_message = null,
      training_status = case when training_created_at > ${startedAt} then 'running' else 'succeeded' end
    where tenant = ${tenant} and uid = ${uid}`)
  return count === 1
}

export async function fail(db: Db, tenant: string, uid: string, message: string): Promise<void> {
  await db.run(sql`
    update face_recognition.collections set training_status = 'failed', training_message = ${message}
    where tenant = ${tenant} and uid = ${uid}`)
}

/** Returns undefined if it was never trained, or was deleted. */
export function trained(db: ReadingDb, tenant: string, uid: string) {
  return db.maybe<{ readonly gallery: string; readonly trainedAt: Date }>(sql`
    select gallery, trained_at as "trainedAt" from face_recognition.collections
    where tenant = ${tenant} and uid = ${uid} and gallery is not null`)
}

/** Returns false if another gallery is in use by now. */
export async function exchange(
  db: Db,
  tenant: string,
  uid: string,
  old: string,
  next: TrainedGallery,
): Promise<boolean> {
  const count = await db.run(sql`
    update face_recognition.collections set gallery = ${next.gallery}, gallery_faces = ${next.faces}
    where tenant = ${tenant} and uid = ${uid} and gallery = ${old}`)
  return count === 1
}
