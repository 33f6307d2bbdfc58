import { refuse, type Token } from './tokens.ts'

export interface TokenReader {
  /** Returns the next token, or a later one, without consuming it. */
  peek(ahead?: number): Token
  next(): Token
  /** Consumes the next token if it is this word or sign. */
  skip(source: string): boolean
  expect(source: string): void
}

export function reader(tokens: readonly Token[]): TokenReader {
  let position = 0
  const last = tokens.length - 1
  // The last token is the end, and it is never passed.
  const peek = (ahead = 0) => tokens[Math.min(position + ahead, last)] as Token
  const next = () => {
    const token = peek()
    position = Math.min(position + 1, last)
    return token
  }
  // The source of a text includes its quotes, so 'and' is not mistaken for the operator.
  const skip = (source: string) => {
    const matches = peek().source === source
    if (matches) next()
    return matches
  }
  return {
    peek,
    next,
    skip,
    expect(source) {
      const { at, source: actual } = peek()
      if (!skip(source)) refuse(at, `expected ${source}, not ${actual || 'the end'}`)
    },
  }
}
