import type { Db } from '@icosa/kernel'
import { findAll, type ModelKind } from '../catalog/model-store.ts'
import type { Subject, Subjects } from '../evaluation/subjects.ts'
import { type LockedInstance, lock } from './store.ts'

/** Instance that an entry of a batch refers to. */
export interface Address {
  readonly modelName: string
  readonly keyValue: string | undefined
}

export interface Addressed<S extends Subject> {
  readonly subject: S
  readonly instance: LockedInstance
}

/** Locks the instances of a batch. Returns a lookup function. */
export async function lockAddressed<S extends Subject>(
  db: Db,
  subjects: Subjects,
  tenant: string,
  kind: S['kind'] & ModelKind,
  addresses: readonly Address[],
): Promise<(address: Address) => Addressed<S> | undefined> {
  const models = await findAll(db, tenant, kind, [...new Set(addresses.map(({ modelName }) => modelName))])
  const list = await subjects(
    db,
    models.map(({ id }) => id),
  )
  const byName = new Map(list.map((subject) => [subject.name, subject as S]))
  const keys = addresses.flatMap(({ modelName, keyValue = '' }) => {
    const subject = byName.get(modelName)
    return subject ? [{ tenant, generation: subject.generation, key: keyValue }] : []
  })
  const locked = new Map((await lock(db, keys)).map((instance) => [`${instance.generation} ${instance.key}`, instance]))
  return ({ modelName, keyValue = '' }) => {
    const subject = byName.get(modelName)
    const instance = subject && locked.get(`${subject.generation} ${keyValue}`)
    return instance && { subject, instance }
  }
}
