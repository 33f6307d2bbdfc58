interface Token {
  readonly text: string
  readonly start: number
  /** After its last character. */
  readonly end: number
}

/** Words, numbers and single signs, as the API counts them. */
export function tokensOf(text: string): Token[] {
  return [...text.matchAll(/[\p{L}\p{M}\p{N}_]+|\S/gu)].map(({ 0: word, index }) => ({
    text: word.toLowerCase(),
    start: index,
    end: index + word.length,
  }))
}

/** The tokens that a part of the text touches. */
export function tokenRange(tokens: readonly Token[], start: number, end: number) {
  const first = tokens.findIndex((token) => token.end > start)
  const last = tokens.findLastIndex((token) => token.start <= end)
  return { startTokenIndex: Math.max(first, 0), endTokenIndex: Math.max(last, first, 0) }
}
