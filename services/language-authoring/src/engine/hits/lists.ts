import type { AppDocument, PhraseList } from '../document.ts'
import type { DynamicList } from '../results.ts'
import { Phrases, type TextRules, unitsOf } from '../text/phrases.ts'
import type { WorkBudget } from '../work.ts'
import { type Hit, stepsOfHit } from './hit.ts'

interface Synonym {
  list: string
  canonical: string
  source: Hit['source']
}

export function closedLists(app: Pick<AppDocument, 'closedLists'>, rules: TextRules): Phrases<Synonym> {
  const phrases = new Phrases<Synonym>(rules)
  for (const { name, subLists } of app.closedLists)
    for (const { canonicalForm, list } of subLists)
      for (const synonym of new Set([canonicalForm, ...list]))
        phrases.add(synonym, { list: name, canonical: canonicalForm, source: 'model' })
  return phrases
}

export function dynamicLists(lists: readonly DynamicList[], rules: TextRules): Phrases<Synonym> {
  const phrases = new Phrases<Synonym>(rules)
  for (const { listEntityName, requestLists } of lists)
    for (const { canonicalForm, synonyms = [] } of requestLists)
      for (const synonym of new Set([canonicalForm, ...synonyms]))
        phrases.add(synonym, { list: listEntityName, canonical: canonicalForm, source: 'dynamic-list' })
  return phrases
}

/** Returns one hit per range and list, with all its canonical forms; within a list, longer hits hide shorter ones. */
export function listHits(
  text: string,
  rules: TextRules,
  sources: readonly Phrases<Synonym>[],
  work?: WorkBudget,
): Hit[] {
  const units = unitsOf(text, rules)
  const hits = new Map<string, Hit & { resolution: Set<string> }>()
  for (const { start, end, value } of sources.flatMap((phrases) => phrases.find(units))) {
    const key = `${start} ${end} ${value.list}`
    const hit = hits.get(key)
    if (!hit)
      hits.set(key, {
        model: value.list,
        kind: 'list',
        type: value.list,
        start,
        end,
        resolution: new Set([value.canonical]),
        source: value.source,
      })
    else hit.resolution.add(value.canonical)
  }
  work?.spend(hits.size * stepsOfHit)
  return outermost([...hits.values()]).map((hit) => ({ ...hit, resolution: [...hit.resolution] }))
}

/** Selects hits that are not contained in another one of the same list. */
function outermost<T extends Hit>(hits: readonly T[]): T[] {
  const ends = new Map<string, number>()
  const outer = new Set<T>()
  for (const hit of hits.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (hit.end <= (ends.get(hit.model) ?? 0)) continue
    ends.set(hit.model, hit.end)
    outer.add(hit)
  }
  return hits.filter((hit) => outer.has(hit))
}

export const wordsOf = (list: PhraseList): string[] =>
  list.words
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')

export function phraseLists(app: Pick<AppDocument, 'phraselists'>, rules: TextRules): Phrases<string> {
  const phrases = new Phrases<string>(rules)
  for (const list of app.phraselists) if (list.activated) for (const word of wordsOf(list)) phrases.add(word, list.name)
  return phrases
}

export function phraseHits(text: string, rules: TextRules, phrases: Phrases<string>, work?: WorkBudget): Hit[] {
  const matches = phrases.find(unitsOf(text, rules))
  work?.spend(matches.length * stepsOfHit)
  return matches.map(({ start, end, value }) => ({
    model: value,
    kind: 'phrases',
    type: value,
    start,
    end,
    source: 'model',
  }))
}
