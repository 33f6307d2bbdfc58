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
/** So many candidates are looked at together with the words around them. */
const maxTried = 6
/** A word of the corpus counts as right from so many documents on. */
const minDocuments = 3
/** A word that is as rare as a mistake is one, if its neighbour is so many times as frequent. */
const muchMoreFrequent = 50

/** The words of a text that are misspelled, each with what was probably meant. */
export async function corrections(
  db: ReadingDb,
  tenant: string,
  tenantNumber: number | undefined,
  text: string,
  english: English,
): Promise<Correction[]> {
  const tokens = [...tokensOf(text)].slice(0, maxTokens)
  const words = [...new Set(tokens.map(({ word }) => word))]
  const known = new Map((await store.counts(db, tenant, words)).map((one) => [one.word, one]))
  const rare = words.filter((word) => canBeMisspelled(word) && (known.get(word)?.documents ?? 0) < minDocuments)
  const right = await english.among(tenant, rare)
  const doubtful = rare.filter((word) => !right.has(word))
  const meant = new Map<string, string>()
  for (const word of doubtful) {
    const candidates = await candidatesFor(db, tenantNumber, word, known.get(word)?.documents ?? 0)
    const around = words.flatMap((other) =>
      other === word ? [] : (meant.get(other) ?? (doubtful.includes(other) ? [] : other)),
    )
    const best = await bestAmong(db, tenantNumber, candidates, around)
    if (best !== undefined) meant.set(word, best)
  }
  return tokens.flatMap((token) => {
    const suggestion = meant.get(token.word)
    return suggestion === undefined ? [] : [{ ...token, suggestion }]
  })
}

interface Weighed {
  readonly word: string
  readonly weight: number
}

/** What a word may stand for, the likeliest first: few mistakes, and a word that is used. */
async function candidatesFor(
  db: ReadingDb,
  tenantNumber: number | undefined,
  word: string,
  documents: number,
): Promise<Weighed[]> {
  const numbers = tenantNumber === undefined ? [0] : [0, tenantNumber]
  const spellings = wideSpellingsOf(word)
  const found = await store.withSpellings(
    db,
    numbers.flatMap((number) => spellings.map((one) => `${number}:${one}`)),
  )
  const weighed = found.flatMap((candidate): Weighed[] => {
    const edits = editsBetween(word, candidate.word)
    if (edits === 0 || edits > maxEdits || (edits === 2 && word.length < 5)) return []
    if (documents > 0 && candidate.documents < documents * muchMoreFrequent) return []
    const sameStart = word[0] === candidate.word[0] ? 0 : 2
    return [
      {
        word: candidate.word,
        weight: Math.log(1 + candidate.documents + 5 * candidate.titles) - 4 * edits - sameStart,
      },
    ]
  })
  return weighed.sort((a, b) => b.weight - a.weight || (a.word < b.word ? -1 : 1)).slice(0, maxTried)
}

const countedUpTo = 20

/** The candidate that stands together with the words around it; the likeliest if none does. */
async function bestAmong(
  db: ReadingDb,
  tenantNumber: number | undefined,
  candidates: readonly Weighed[],
  around: readonly string[],
): Promise<string | undefined> {
  const [first] = candidates
  if (candidates.length < 2 || around.length === 0 || tenantNumber === undefined) return first?.word
  const shelves = [...shelvesOf(tenantNumber, 'episode'), ...shelvesOf(tenantNumber, 'podcast')]
  const inContext = (word: string) =>
    shelves.map((shelf) => [word, ...around].map((one) => lexeme(shelf + marks.title + one)).join(' & ')).join(' | ')
  const documents = await store.fitting(
    db,
    candidates.map(({ word }) => inContext(word)),
    countedUpTo,
  )
  const best = Math.max(...documents)
  return (best > 0 ? candidates[documents.indexOf(best)] : first)?.word
}
