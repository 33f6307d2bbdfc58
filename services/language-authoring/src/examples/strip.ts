import type { Db } from '@icosa/kernel'
import type { Label } from '../content/content.ts'
import * as store from './store.ts'

const without = (labels: readonly Label[], gone: ReadonlySet<string>): Label[] =>
  labels
    .filter(({ model }) => !gone.has(model))
    .map(({ children = [], ...label }) => {
      const left = without(children, gone)
      return left.length > 0 ? { ...label, children: left } : label
    })

/** Takes the labels of entities that are gone from all utterances that have any. */
export async function stripLabels(db: Db, tenant: string, version: string, ids: readonly string[]): Promise<void> {
  const gone = new Set(ids)
  const examples = await store.labelledWith(db, tenant, version, ids)
  await store.put(
    db,
    tenant,
    version,
    examples.map((one) => ({ ...one, labels: without(one.labels, gone) })),
  )
}

const unrolled = (labels: readonly Label[], gone: string): Label[] =>
  labels.map(({ role, children, ...label }) => ({
    ...label,
    ...(role !== undefined && role !== gone && { role }),
    ...(children && { children: unrolled(children, gone) }),
  }))

/** The same for a role: the labels stay, without it. */
export async function stripRole(db: Db, tenant: string, version: string, model: string, role: string): Promise<void> {
  const examples = await store.labelledWith(db, tenant, version, [model])
  await store.put(
    db,
    tenant,
    version,
    examples.map((one) => ({ ...one, labels: unrolled(one.labels, role) })),
  )
}
