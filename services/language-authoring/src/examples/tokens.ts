interface Token {
  readonly text: string
  readonly start: number
  /** Exclusive. */
  readonly end: number
}

/** Splits text into words, numbers and single characters, as the API counts them. */
export function tokensOf(text: string): Token[] {
  return [...text.matchAll(/[\p{L}\p{M}\p{N}_]+|\S/gu)].map(({ 0: word, index }) => ({
    text: word.toLowerCase(),
    start: index,
    end: index + word.length,
  }))
}

/** Returns the tokens that overlap a part of the text. */
export function tokenRange(tokens: readonly Token[], start: number, end: number) {
  const first = tokens.findIndex((token) => token.end > start)
  const last = tokens.findLastIndex((token) => token.start <= end)
  return { startTokenIndex: Math.max(first, 0), endTokenIndex: Math.max(last, first, 0) }
}
