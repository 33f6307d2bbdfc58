import { invalid, type ReadingDb } from '@icosa/kernel'
import { tagsByIds } from './store.ts'

/** The ids of tags that were sent, each once. Refuses those of no tag. */
export async function knownTags(
  db: ReadingDb,
  tenant: string,
  sent: readonly { readonly id: string }[] = [],
): Promise<string[]> {
  const ids = [...new Set(sent.map(({ id }) => id))]
  const known = await tagsByIds(db, tenant, ids)
  const unknown = ids.filter((id) => !known.has(id))
  if (unknown.length > 0) invalid([{ at: 'body/tags', message: `has ids of no tags: ${unknown.join(', ')}` }])
  return ids
}
