import { refuse, type Token } from './tokens.ts'

/** Walks along the tokens of a filter. */
export interface TokenReader {
  /** The next token, or one behind it. */
  peek(ahead?: number): Token
  next(): Token
  /** Takes the next token if it is this word or sign. */
  skip(source: string): boolean
  expect(source: string): void
}

export function reader(tokens: readonly Token[]): TokenReader {
  let position = 0
  const last = tokens.length - 1
  // There always is an end, and it is never passed.
  const peek = (ahead = 0) => tokens[Math.min(position + ahead, last)] as Token
  const next = () => {
    const token = peek()
    position = Math.min(position + 1, last)
    return token
  }
  // A text such as 'and' carries its quotes in its source, so it is never taken for the word.
  const skip = (source: string) => {
    const found = peek().source === source
    if (found) next()
    return found
  }
  return {
    peek,
    next,
    skip,
    expect(source) {
      const { at, source: found } = peek()
      if (!skip(source)) refuse(at, `expected ${source}, not ${found || 'the end'}`)
    },
  }
}
