import type { ReadingDb } from '@icosa/kernel'
import { lexeme } from '../search/index/document.ts'
import { marks, shelvesOf } from '../search/index/shelf.ts'
import { type Token, tokensOf } from '../search/words.ts'
import { canBeMisspelled, editsBetween, wideSpellingsOf } from './edits.ts'
import type { English } from './english.ts'
import * as store from './store.ts'

export interface Correction extends Token {
  readonly suggestion: string
}

const maxTokens = 16
const maxEdits = 2
/** Number of candidates to check together with the other words. */
const maxCandidates = 6
/** Words in at least this many documents count as correct. */
const minDocuments = 3
/** A rare word counts as misspelled if a similar one is this many times as frequent. */
const minFrequencyRatio = 50

/** Misspelled words of a text, each with a suggestion. */
export async function corrections(
  db: ReadingDb,
  tenant: string,
  tenantNumber: number | undefined,
  text: string,
  english: English,
): Promise<Correction[]> {
  const tokens = [...tokensOf(text)].slice(0, maxTokens)
  const words = [...new Set(tokens.map(({ word }) => word))]
  const counts = new Map((await store.counts(db, tenant, words)).map((count) => [count.word, count]))
  const rare = words.filter((word) => canBeMisspelled(word) && (counts.get(word)?.documents ?? 0) < minDocuments)
  const correct = await english.among(tenant, rare)
  const doubtful = rare.filter((word) => !correct.has(word))
  const suggestions = new Map<string, string>()
  for (const word of doubtful) {
    const candidates = await candidatesFor(db, tenantNumber, word, counts.get(word)?.documents ?? 0)
    const context = words.flatMap((other) =>
      other === word ? [] : (suggestions.get(other) ?? (doubtful.includes(other) ? [] : other)),
    )
    const best = await bestAmong(db, tenantNumber, candidates, context)
    if (best !== undefined) suggestions.set(word, best)
  }
  return tokens.flatMap((token) => {
    const suggestion = suggestions.get(token.word)
    return suggestion === undefined ? [] : [{ ...token, suggestion }]
  })
}

interface WeightedWord {
  readonly word: string
  readonly weight: number
}

/** Likely corrections of a word, best first: few edits, and frequent words. */
async function candidatesFor(
  db: ReadingDb,
  tenantNumber: number | undefined,
  word: string,
  documents: number,
): Promise<WeightedWord[]> {
  const numbers = tenantNumber === undefined ? [0] : [0, tenantNumber]
  const spellings = wideSpellingsOf(word)
  const words = await store.withSpellings(
    db,
    numbers.flatMap((number) => spellings.map((spelling) => `${number}:${spelling}`)),
  )
  const weighted = words.flatMap((candidate): WeightedWord[] => {
    const edits = editsBetween(word, candidate.word)
    if (edits === 0 || edits > maxEdits || (edits === 2 && word.length < 5)) return []
    if (documents > 0 && candidate.documents < documents * minFrequencyRatio) return []
    const sameStart = word[0] === candidate.word[0] ? 0 : 2
    return [
      {
        word: candidate.word,
        weight: Math.log(1 + candidate.documents + 5 * candidate.titles) - 4 * edits - sameStart,
      },
    ]
  })
  return weighted.sort((a, b) => b.weight - a.weight || (a.word < b.word ? -1 : 1)).slice(0, maxCandidates)
}

const maxCount = 20

/** The candidate that occurs together with the other words; the likeliest if none does. */
async function bestAmong(
  db: ReadingDb,
  tenantNumber: number | undefined,
  candidates: readonly WeightedWord[],
  context: readonly string[],
): Promise<string | undefined> {
  const [first] = candidates
  if (candidates.length < 2 || context.length === 0 || tenantNumber === undefined) return first?.word
  const shelves = [...shelvesOf(tenantNumber, 'episode'), ...shelvesOf(tenantNumber, 'podcast')]
  const inContext = (word: string) =>
    shelves
      .map((shelf) => [word, ...context].map((other) => lexeme(shelf + marks.title + other)).join(' & '))
      .join(' | ')
  const documents = await store.countMatches(
    db,
    candidates.map(({ word }) => inContext(word)),
    maxCount,
  )
  const best = Math.max(...documents)
  return (best > 0 ? candidates[documents.indexOf(best)] : first)?.word
}
