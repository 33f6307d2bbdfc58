/** A normalized word with its position in the text. */
export interface Token {
  readonly word: string
  readonly start: number
  readonly end: number
}

/** Scripts without spaces between words: each pair of characters counts as a word. */
const unspaced = '\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}\\p{sc=Thai}\\p{sc=Laoo}\\p{sc=Khmr}\\p{sc=Mymr}'
const spaced = `[[\\p{L}\\p{N}]--[${unspaced}]][[\\p{L}\\p{N}\\p{M}]--[${unspaced}]]*`
const runs = new RegExp(`(?<pairs>[${unspaced}]+)|${spaced}(?:['’]${spaced})*`, 'gv')
/** The same for ASCII, several times as fast. */
const asciiRuns = /[a-z0-9]+(?:'[a-z0-9]+)*/gi
const ascii = /^\p{ASCII}*$/u

const maxWordLength = 64

export function* tokensOf(text: string): Generator<Token> {
  for (const run of text.matchAll(ascii.test(text) ? asciiRuns : runs)) {
    const [match] = run
    const start = run.index
    if (run.groups?.pairs !== undefined) yield* pairsOf(match, start)
    else yield { word: normalize(match), start, end: start + match.length }
  }
}

export function wordsOf(text: string): string[] {
  if (!ascii.test(text)) return Array.from(tokensOf(text), ({ word }) => word)
  return (text.toLowerCase().match(asciiRuns) ?? []).map((match) =>
    match.includes("'") ? normalize(match) : truncate(match),
  )
}

const truncate = (word: string) => (word.length > maxWordLength ? word.slice(0, maxWordLength) : word)

function* pairsOf(run: string, start: number): Generator<Token> {
  const characters = Array.from(run)
  let at = start
  for (const [index, character] of characters.entries()) {
    const next = characters[index + 1]
    if (next !== undefined || index === 0) {
      const pair = character + (next ?? '')
      yield { word: pair.normalize('NFKC'), start: at, end: at + pair.length }
    }
    at += character.length
  }
}

const accents = /([\p{sc=Latn}\p{sc=Grek}\p{sc=Hebr}\p{sc=Arab}])\p{M}+/gu

/** Lower case without accents; "listener's" becomes "listener", "don't" becomes "dont". */
function normalize(match: string): string {
  const lower = match.normalize('NFKD').toLowerCase().replace(accents, '$1').normalize('NFC')
  const bare = lower.replace(/['’]s$/u, '').replace(/[^\p{L}\p{N}\p{M}]/gu, '')
  return truncate(bare).toWellFormed()
}

const english = /^[a-z]{3,}$/
const sibilant = /(?:ss|x|z|ch|sh)$/

/** A word with its English singular or plural, since the index contains unstemmed words. */
export function formsOf(word: string): string[] {
  if (!english.test(word)) return [word]
  if (/[^aeiou]ies$/.test(word)) return [word, `${word.slice(0, -3)}y`]
  if (word.endsWith('es') && sibilant.test(word.slice(0, -2))) return [word, word.slice(0, -2)]
  if (/[^sui]s$/.test(word)) return [word, word.slice(0, -1)]
  if (/[ui]s$/.test(word)) return [word]
  if (/[^aeiou]y$/.test(word)) return [word, `${word.slice(0, -1)}ies`]
  return [word, sibilant.test(word) ? `${word}es` : `${word}s`]
}

const stopWords = new Set(
  `a about all also an and any are as at be been but by can did do for from had has have he her his how i if in into is
  it its me more my no not of on one or our out she so than that the their them then there these they this to up us was
  we were what when where which who why will with would you your`.split(/\s+/),
)

export const isStopWord = (word: string): boolean => stopWords.has(word)
