import { isStopWord, tokensOf, wordsOf } from '../words.ts'

/** What a text asks for: every required phrase, and none of the others. A phrase of one word is a word. */
export interface Question {
  readonly required: readonly Phrase[]
  readonly excluded: readonly Phrase[]
}

export interface Phrase {
  readonly words: readonly string[]
  /** As it stands, not in its other forms. */
  readonly verbatim: boolean
}

const maxWords = 16
const parts = /(?<minus>(?<![^\s(])-)?(?:"(?<quoted>[^"]*)"?|(?<bare>[^\s"]+))/gu

/** Reads `star wars "a new hope" -trailer`. Whatever else stands there is no operator, only a space. */
export function questionOf(text: string): Question {
  const required: Phrase[] = []
  const excluded: Phrase[] = []
  for (const { groups = {} } of text.matchAll(parts)) {
    const { minus, quoted, bare = '' } = groups
    const found = quoted === undefined ? bareOf(bare) : quotedOf(quoted)
    const list = minus === undefined ? required : excluded
    list.push(...found)
  }
  return { required: telling(once(required)).slice(0, maxWords), excluded: once(excluded).slice(0, maxWords) }
}

function quotedOf(text: string): Phrase[] {
  const words = wordsOf(text).slice(0, maxWords)
  return words.length > 0 ? [{ words, verbatim: true }] : []
}

/** Neighbouring pairs of a script without spaces are one phrase; other words are each for themselves. */
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

/** Who says a word twice wants it no more than once. */
const once = (phrases: readonly Phrase[]): Phrase[] => [
  ...new Map(phrases.map((phrase) => [JSON.stringify(phrase), phrase])).values(),
]

/** Without words that are everywhere, unless there are no others. */
function telling(required: readonly Phrase[]): readonly Phrase[] {
  const left = required.filter(({ words, verbatim }) => verbatim || !words.every(isStopWord))
  return left.length > 0 ? left : required
}
