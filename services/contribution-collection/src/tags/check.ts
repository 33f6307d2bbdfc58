import { invalid, type ReadingDb } from '@icosa/kernel'
import { tagsByIds } from './store.ts'

/** Unique ids of tag references. Refuses unknown ones. */
export async function checkTags(
  db: ReadingDb,
  tenant: string,
  references: readonly { readonly id: string }[] = [],
): Promise<string[]> {
  const ids = [...new Set(references.map(({ id }) => id))]
  const tags = await tagsByIds(db, tenant, ids)
  const unknown = ids.filter((id) => !tags.has(id))
  if (unknown.length > 0) invalid([{ at: 'body/tags', message: `contains unknown ids: ${unknown.join(', ')}` }])
  return ids
}
