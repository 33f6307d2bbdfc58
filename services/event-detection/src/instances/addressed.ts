import type { Db } from '@icosa/kernel'
import { findAll, type ModelKind } from '../catalog/model-store.ts'
import type { Subject, Subjects } from '../evaluation/subjects.ts'
import { type HeldInstance, hold } from './store.ts'

/** Whom an entry of a batch is about. */
export interface Address {
  readonly modelName: string
  readonly keyValue: string | undefined
}

export interface Addressed<S extends Subject> {
  readonly subject: S
  readonly instance: HeldInstance
}

/** Holds the instances that entries of a batch are about. Answers how to find each; undefined if it is not there. */
export async function holdAddressed<S extends Subject>(
  db: Db,
  subjects: Subjects,
  tenant: string,
  kind: S['kind'] & ModelKind,
  addresses: readonly Address[],
): Promise<(address: Address) => Addressed<S> | undefined> {
  const models = await findAll(db, tenant, kind, [...new Set(addresses.map(({ modelName }) => modelName))])
  const found = await subjects(
    db,
    models.map(({ id }) => id),
  )
  const byName = new Map(found.map((subject) => [subject.name, subject as S]))
  const keys = addresses.flatMap(({ modelName, keyValue = '' }) => {
    const subject = byName.get(modelName)
    return subject ? [{ tenant, generation: subject.generation, key: keyValue }] : []
  })
  const held = new Map((await hold(db, keys)).map((one) => [`${one.generation} ${one.key}`, one]))
  return ({ modelName, keyValue = '' }) => {
    const subject = byName.get(modelName)
    const instance = subject && held.get(`${subject.generation} ${keyValue}`)
    return instance && { subject, instance }
  }
}
