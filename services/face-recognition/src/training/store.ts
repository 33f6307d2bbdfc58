import { type Db, type ReadingDb, sql } from '@icosa/kernel'

/** A blob with what was learnt, and how many faces are in it. */
export interface Learnt {
  readonly gallery: string
  readonly faces: number
}

export async function request(db: Db, tenant: string, uid: string, now: Date): Promise<void> {
  await db.run(sql`
    update face_recognition.collections set training_status = 'running', training_created_at = ${now},
      training_action_at = ${now}, training_message = null
    where tenant = ${tenant} and uid = ${uid}`)
}

export interface Trained extends Learnt {
  /** When it began: who asked for a training after that waits for the next one. */
  readonly startedAt: Date
  readonly now: Date
}

/** False if the group or list is gone. */
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

/** What was learnt last, and when; undefined if it was never trained, or is gone. */
export function trained(db: ReadingDb, tenant: string, uid: string) {
  return db.maybe<{ readonly gallery: string; readonly trainedAt: Date }>(sql`
    select gallery, trained_at as "trainedAt" from face_recognition.collections
    where tenant = ${tenant} and uid = ${uid} and gallery is not null`)
}

/** False if another one is in use by now. */
export async function exchange(db: Db, tenant: string, uid: string, old: string, learnt: Learnt): Promise<boolean> {
  const count = await db.run(sql`
    update face_recognition.collections set gallery = ${learnt.gallery}, gallery_faces = ${learnt.faces}
    where tenant = ${tenant} and uid = ${uid} and gallery = ${old}`)
  return count === 1
}
