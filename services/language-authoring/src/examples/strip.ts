import type { Db } from '@icosa/kernel'
import type { Label } from '../content/content.ts'
import * as store from './store.ts'

const without = (labels: readonly Label[], models: ReadonlySet<string>): Label[] =>
  labels
    .filter(({ model }) => !models.has(model))
    .map(({ children = [], ...label }) => {
      const remaining = without(children, models)
      return remaining.length > 0 ? { ...label, children: remaining } : label
    })

/** Removes the labels of deleted entities from all utterances. */
export async function stripLabels(db: Db, tenant: string, version: string, ids: readonly string[]): Promise<void> {
  const models = new Set(ids)
  const examples = await store.labelledWith(db, tenant, version, ids)
  await store.put(
    db,
    tenant,
    version,
    examples.map((example) => ({ ...example, labels: without(example.labels, models) })),
  )
}

const withoutRole = (labels: readonly Label[], removed: string): Label[] =>
  labels.map(({ role, children, ...label }) => ({
    ...label,
    ...(role !== undefined && role !== removed && { role }),
    ...(children && { children: withoutRole(children, removed) }),
  }))

/** Removes a deleted role from all labels. */
export async function stripRole(db: Db, tenant: string, version: string, model: string, role: string): Promise<void> {
  const examples = await store.labelledWith(db, tenant, version, [model])
  await store.put(
    db,
    tenant,
    version,
    examples.map((example) => ({ ...example, labels: withoutRole(example.labels, role) })),
  )
}
