import type { TagRow } from './store.ts'

export const toTag = ({ id, name, urlWords, colour, tagSet }: TagRow) => ({
  id,
  name,
  urlWords,
  ...(colour !== null && { colour }),
  ...(tagSet !== null && { tagSet }),
})

/** Tags of a row, in its order, without deleted ones. */
export const tagsOf = (ids: readonly string[], tags: ReadonlyMap<string, TagRow>) =>
  ids.flatMap((id) => {
    const row = tags.get(id)
    return row ? [toTag(row)] : []
  })
