import { type Db, join, type ReadingDb, type Sql, sql } from '@icosa/kernel'
import type { RecognitionModel } from '../shapes/contract.ts'

export interface DetectedRow {
  readonly id: string
  readonly recognitionModel: RecognitionModel
  /** Sealed. */
  readonly descriptor: Buffer
}

export interface NewDetectedRow extends DetectedRow {
  readonly expiresAt: Date
}

export async function insert(db: Db, tenant: string, faces: readonly NewDetectedRow[]): Promise<void> {
  if (faces.length === 0) return
  const rows = faces.map(
    ({ id, recognitionModel, descriptor, expiresAt }): Sql =>
      sql`(${tenant}, ${id}, ${recognitionModel}, ${descriptor}, ${expiresAt})`,
  )
  await db.run(sql`
    insert into face_recognition.detected_faces (tenant, id, recognition_model, descriptor, expires_at)
    values ${join(rows)}`)
}

/** Finds faces that have not expired. */
export function find(db: ReadingDb, tenant: string, ids: readonly string[], now: Date): Promise<DetectedRow[]> {
  return db.many(sql`
    select id, recognition_model as "recognitionModel", descriptor from face_recognition.detected_faces
    where tenant = ${tenant} and id = any(${ids}::uuid[]) and expires_at > ${now}`)
}

/** Returns the number of deleted rows. */
export function removeExpired(db: Db, now: Date, max: number): Promise<number> {
  return db.run(sql`
    delete from face_recognition.detected_faces where (tenant, id) in
      (select tenant, id from face_recognition.detected_faces where expires_at <= ${now} limit ${max})`)
}
