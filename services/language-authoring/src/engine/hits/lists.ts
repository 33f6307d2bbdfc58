import type { AppDocument, PhraseList } from '../document.ts'
import type { DynamicList } from '../results.ts'
import { Phrases, type TextRules, unitsOf } from '../text/phrases.ts'
import { type Hit, within } from './hit.ts'

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

/** One hit for a place and a list, with all canonical forms that it may stand for; within a list, longer ones hide shorter. */
export function listHits(text: string, rules: TextRules, ...sources: readonly Phrases<Synonym>[]): Hit[] {
  const units = unitsOf(text, rules)
  const hits = new Map<string, Hit & { resolution: string[] }>()
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
        resolution: [value.canonical],
        source: value.source,
      })
    else if (!hit.resolution.includes(value.canonical)) hit.resolution.push(value.canonical)
  }
  const all = [...hits.values()]
  return all.filter((hit) => !all.some((other) => other !== hit && other.model === hit.model && within(hit, other)))
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

export function phraseHits(text: string, rules: TextRules, phrases: Phrases<string>): Hit[] {
  const found = phrases.find(unitsOf(text, rules))
  return found.map(({ start, end, value }) => ({
    model: value,
    kind: 'phrases',
    type: value,
    start,
    end,
    source: 'model',
  }))
}
