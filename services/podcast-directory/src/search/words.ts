/** A word as it is compared, and where in the text it stands. */
export interface Token {
  readonly word: string
  readonly start: number
  readonly end: number
}

/** Scripts that leave no space between words: each two neighbouring characters count as a word. */
const unspaced = '\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}\\p{sc=Thai}\\p{sc=Laoo}\\p{sc=Khmr}\\p{sc=Mymr}'
const spaced = `[[\\p{L}\\p{N}]--[${unspaced}]][[\\p{L}\\p{N}\\p{M}]--[${unspaced}]]*`
const runs = new RegExp(`(?<pairs>[${unspaced}]+)|${spaced}(?:['’]${spaced})*`, 'gv')
/** The same for what most texts are, several times as fast. */
const asciiRuns = /[a-z0-9]+(?:'[a-z0-9]+)*/gi
const ascii = /^\p{ASCII}*$/u

const maxWordLength = 64

/** The words of a text, from left to right. */
export function* tokensOf(text: string): Generator<Token> {
  for (const run of text.matchAll(ascii.test(text) ? asciiRuns : runs)) {
    const [written] = run
    const start = run.index
    if (run.groups?.pairs !== undefined) yield* pairsOf(written, start)
    else yield { word: folded(written), start, end: start + written.length }
  }
}

export function wordsOf(text: string): string[] {
  if (!ascii.test(text)) return Array.from(tokensOf(text), ({ word }) => word)
  return (text.toLowerCase().match(asciiRuns) ?? []).map((written) =>
    written.includes("'") ? folded(written) : short(written),
  )
}

const short = (word: string) => (word.length > maxWordLength ? word.slice(0, maxWordLength) : word)

function* pairsOf(run: string, start: number): Generator<Token> {
  const characters = Array.from(run)
  let at = start
  for (const [place, character] of characters.entries()) {
    const next = characters[place + 1]
    if (next !== undefined || place === 0) {
      const pair = character + (next ?? '')
      yield { word: pair.normalize('NFKC'), start: at, end: at + pair.length }
    }
    at += character.length
  }
}

const accents = /([\p{sc=Latn}\p{sc=Grek}\p{sc=Hebr}\p{sc=Arab}])\p{M}+/gu

/** In small letters without accents; "listener's" is "listener", "don't" is "dont". */
function folded(written: string): string {
  const small = written.normalize('NFKD').toLowerCase().replace(accents, '$1').normalize('NFC')
  const bare = small.replace(/['’]s$/u, '').replace(/[^\p{L}\p{N}\p{M}]/gu, '')
  return short(bare).toWellFormed()
}

const english = /^[a-z]{3,}$/
const hissing = /(?:ss|x|z|ch|sh)$/

/** A word and its other number, as English forms it. An index that holds words as they are finds both. */
export function formsOf(word: string): string[] {
  if (!english.test(word)) return [word]
  if (/[^aeiou]ies$/.test(word)) return [word, `${word.slice(0, -3)}y`]
  if (word.endsWith('es') && hissing.test(word.slice(0, -2))) return [word, word.slice(0, -2)]
  if (/[^sui]s$/.test(word)) return [word, word.slice(0, -1)]
  if (/[ui]s$/.test(word)) return [word]
  if (/[^aeiou]y$/.test(word)) return [word, `${word.slice(0, -1)}ies`]
  return [word, hissing.test(word) ? `${word}es` : `${word}s`]
}

const stopWords = new Set(
  `a about all also an and any are as at be been but by can did do for from had has have he her his how i if in into is
  it its me more my no not of on one or our out she so than that the their them then there these they this to up us was
  we were what when where which who why will with would you your`.split(/\s+/),
)

/** Whether a word says so little that nobody looks for it alone. */
export const isStopWord = (word: string): boolean => stopWords.has(word)
