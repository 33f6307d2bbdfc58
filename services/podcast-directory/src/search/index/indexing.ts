import type { Db } from '@icosa/kernel'
import { documentOf, type Source, tellingOf, type Words, wordsOfSource } from './document.ts'
import { isCounted } from './shelf.ts'
import * as store from './store.ts'

/** Indexes sources of one tenant. */
export async function indexSources(db: Db, tenant: string, sources: readonly Source[]): Promise<void> {
  if (sources.length === 0) return
  const number = await store.numberOf(db, tenant)
  const all = sources.map((source) => ({ source, words: wordsOfSource(source) }))
  await countNewWords(db, tenant, all)
  const vocabulary = new Set(all.flatMap(({ words }) => [...words.title, ...words.description]))
  const { counts, all: documents } = await store.documentsWith(db, tenant, [...vocabulary])
  const countOf = (word: string) => counts.get(word) ?? 0
  await store.write(
    db,
    all.map(({ source, words }) =>
      documentOf(source, words, number, tellingOf(words, countOf, documents + sources.length)),
    ),
  )
}

interface ParsedSource {
  readonly source: Source
  readonly words: Words
}

/** Counts only new documents. Counts are estimates, and are not reduced on deletion. */
async function countNewWords(db: Db, tenant: string, all: readonly ParsedSource[]): Promise<void> {
  const counts = new Map<string, { word: string; documents: number; titles: number }>()
  const countOf = (word: string) => {
    const count = counts.get(word) ?? { word, documents: 0, titles: 0 }
    counts.set(word, count)
    return count
  }
  for (const [kind, group] of Map.groupBy(all, ({ source }) => source.kind)) {
    const ids = group.map(({ source }) => source.id)
    const present = await store.present(db, tenant, kind, ids)
    for (const { source, words } of group) {
      if (present.has(source.id)) continue
      const anywhere = [...words.title, ...words.author, ...words.description, ...words.audio]
      const facets = source.facets.filter(isCounted).map((name) => `~${name}`)
      for (const word of new Set([...anywhere, ...facets])) countOf(word).documents++
      for (const word of new Set([...words.title, ...(kind === 'podcast' ? words.author : [])])) countOf(word).titles++
    }
  }
  await store.countWords(db, tenant, [...counts.values()])
}
