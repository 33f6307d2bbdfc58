/**
 * Tokens as in the original: words, numbers and punctuation marks; in Chinese characters, and in Japanese, Thai, Lao, Khmer
 * and Burmese words from ICU.
 */
export interface Token {
  text: string
  /** Lower case, NFKC, straight quotes. */
  normal: string
  start: number
  /** Exclusive. */
  end: number
}

const word = /[\p{L}\p{M}\p{N}_]+(?:['’](?=\p{L})[\p{L}\p{M}]+)?|[^\s]/gu
const han = /\p{Script=Han}/u
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const segmenters = new Map<string, Intl.Segmenter>()

function segmenter(language: string): Intl.Segmenter {
  let cached = segmenters.get(language)
  if (!cached) {
    cached = new Intl.Segmenter(language, { granularity: 'word' })
    segmenters.set(language, cached)
  }
  return cached
}

export function normalize(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[‘’ʼ`´]/g, "'")
    .replace(/[“”„«»]/g, '"')
}

/** Lower case and straight quotes, without changing offsets. */
export function fold(text: string): string {
  let result = ''
  for (let i = 0; i < text.length; i++) {
    const character = text[i] ?? ''
    const normal = normalize(character)
    result += normal.length === 1 ? normal : character
  }
  return result
}

/** For comparison with the setting NormalizeDiacritics. */
export function withoutDiacritics(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .normalize('NFC')
}

function* split(text: string, language: string): Generator<[number, number]> {
  for (const match of text.matchAll(word)) {
    const start = match.index
    const run = match[0]
    if (!unspaced.test(run)) {
      const apostrophe = run.search(/['’]/)
      if (apostrophe > 0) {
        yield [start, start + apostrophe]
        yield [start + apostrophe, start + run.length]
      } else yield [start, start + run.length]
      continue
    }
    for (const part of segmenter(language).segment(run)) {
      const from = start + part.index
      if (language === 'zh' && han.test(part.segment)) {
        let at = from
        for (const character of part.segment) {
          yield [at, at + character.length]
          at += character.length
        }
      } else yield [from, from + part.segment.length]
    }
  }
}

export function tokenize(text: string, culture: string): Token[] {
  const language = culture.toLowerCase().split('-')[0] ?? 'en'
  const tokens: Token[] = []
  for (const [start, end] of split(text, language)) {
    const part = text.slice(start, end)
    tokens.push({ text: part, normal: normalize(part), start, end })
  }
  return tokens
}
