import { invalid } from '@icosa/kernel'

/** `at` is the position, starting at 1. */
export type Token = { readonly at: number; readonly source: string } & (
  | { readonly kind: 'word' }
  | { readonly kind: 'sign' }
  | { readonly kind: 'date' }
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'end' }
)

type Kind = Exclude<Token['kind'], 'end'>

// The first match wins: a date starts like a number. Sticky, so each matches only at the current position.
const patterns: readonly (readonly [Kind | 'space', RegExp])[] = [
  ['space', /\s+/y],
  ['date', /\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})?)?(?![\w.])/y],
  ['number', /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])/y],
  ['string', /'(?:[^']|'')*'/y],
  ['word', /[A-Za-z_][\w/]*/y],
  ['sign', /[(),]/y],
]

export function refuse(at: number, message: string): never {
  invalid([{ at: 'query/$filter', message: `at character ${at}: ${message}` }])
}

/** Splits a filter into tokens, with an end marker. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  let index = 0
  while (index < text.length) {
    const [kind, source] = tokenAt(text, index)
    if (kind !== 'space') tokens.push(toToken(kind, source, index + 1))
    index += source.length
  }
  return [...tokens, { kind: 'end', at: text.length + 1, source: '' }]
}

function tokenAt(text: string, index: number): readonly [Kind | 'space', string] {
  for (const [kind, pattern] of patterns) {
    pattern.lastIndex = index
    const [source] = pattern.exec(text) ?? []
    if (source !== undefined) return [kind, source]
  }
  if (text[index] === "'") return refuse(index + 1, "this text has no closing '; a ' inside a text is written ''")
  return refuse(index + 1, `'${String.fromCodePoint(text.codePointAt(index) ?? 0)}' is not expected here`)
}

function toToken(kind: Kind, source: string, at: number): Token {
  if (kind === 'string') {
    if (source.includes('\0')) refuse(at, 'this text contains U+0000, which no diagnostic can have')
    return { kind, at, source, value: source.slice(1, -1).replaceAll("''", "'") }
  }
  if (kind === 'number') {
    const value = Number(source)
    if (!Number.isFinite(value)) refuse(at, `${source} is too large a number`)
    return { kind, at, source, value }
  }
  return { kind, at, source }
}
