import type { TagRow } from './store.ts'

export const toTag = ({ id, name, urlWords, colour, tagSet }: TagRow) => ({
  id,
  name,
  urlWords,
  ...(colour !== null && { colour }),
  ...(tagSet !== null && { tagSet }),
})

/** Those of a row, in its order; ones that are gone are left out. */
export const tagsOf = (ids: readonly string[], known: ReadonlyMap<string, TagRow>) =>
  ids.flatMap((id) => {
    const row = known.get(id)
    return row ? [toTag(row)] : []
  })
