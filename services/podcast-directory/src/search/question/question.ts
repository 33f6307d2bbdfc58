import { isStopWord, tokensOf, wordsOf } from '../words.ts'

/** A parsed search text: required and excluded phrases, of one or more words. */
export interface Question {
  readonly required: readonly Phrase[]
  readonly excluded: readonly Phrase[]
}

export interface Phrase {
  readonly words: readonly string[]
  /** Excludes other forms. */
  readonly verbatim: boolean
}

const maxWords = 16
const parts = /(?<minus>(?<![^\s(])-)?(?:"(?<quoted>[^"]*)"?|(?<bare>[^\s"]+))/gu

/** Parses `star wars "a new hope" -trailer`. Other operators are treated as spaces. */
export function questionOf(text: string): Question {
  const required: Phrase[] = []
  const excluded: Phrase[] = []
  for (const { groups = {} } of text.matchAll(parts)) {
    const { minus, quoted, bare = '' } = groups
    const phrases = quoted === undefined ? bareOf(bare) : quotedOf(quoted)
    const list = minus === undefined ? required : excluded
    list.push(...phrases)
  }
  return { required: significant(unique(required)).slice(0, maxWords), excluded: unique(excluded).slice(0, maxWords) }
}

function quotedOf(text: string): Phrase[] {
  const words = wordsOf(text).slice(0, maxWords)
  return words.length > 0 ? [{ words, verbatim: true }] : []
}

/** Adjacent pairs of a script without spaces form a phrase; other words are separate. */
function bareOf(text: string): Phrase[] {
  const phrases: string[][] = []
  let end = -1
  for (const token of tokensOf(text)) {
    if (token.start < end) phrases.at(-1)?.push(token.word)
    else phrases.push([token.word])
    end = token.end
  }
  return phrases.map((words) => ({ words, verbatim: false }))
}

const unique = (phrases: readonly Phrase[]): Phrase[] => [
  ...new Map(phrases.map((phrase) => [JSON.stringify(phrase), phrase])).values(),
]

/** Removes stop words, unless there are no others. */
function significant(required: readonly Phrase[]): readonly Phrase[] {
  const others = required.filter(({ words, verbatim }) => verbatim || !words.every(isStopWord))
  return others.length > 0 ? others : required
}
