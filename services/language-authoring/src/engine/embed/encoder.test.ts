import { expect, test } from 'vitest'
import { tokenize } from '../text/tokens.ts'
import { encoder, width } from './encoder.ts'
import { narrow, tokenRows, wide } from './rows.ts'

const similarity = (a: string, b: string): number => {
  const [left, right] = [encoder().encode(a).sentence, encoder().encode(b).sentence]
  return left.reduce((sum, value, i) => sum + value * (right[i] ?? 0), 0)
}

test('sentences with the same meaning are more similar than sentences with common words', () => {
  const query = 'how do i get my money back'
  expect(similarity(query, 'i would like a refund')).toBeGreaterThan(similarity(query, 'how do i get to the back door'))
  expect(similarity(query, query)).toBeCloseTo(1, 5)
})

test('every text has an embedding: empty, one character, too long, unknown scripts', () => {
  for (const text of ['', '?', 'word '.repeat(1000), '你好世界', '\u{1f600}\ud800', 'ﬁne ½']) {
    const { sentence, rows, pieces } = encoder().encode(text)
    expect(sentence).toHaveLength(width)
    expect(sentence.every(Number.isFinite)).toBe(true)
    expect(rows).toHaveLength(pieces.length * width)
    expect(pieces.length).toBeLessThanOrEqual(128)
  }
})

test('tokens have embeddings from their pieces', () => {
  const text = 'unbelievable weather, tomorrow'
  const encoded = encoder().encode(text)
  const tokens = tokenize(text, 'en-us')
  const rows = tokenRows(encoded, tokens, wide)
  expect(rows).toHaveLength(tokens.length * wide)
  for (const [i] of tokens.entries())
    expect(rows.subarray(i * wide, (i + 1) * wide).some((value) => value !== 0)).toBe(true)
  expect(tokenRows(encoded, tokens, narrow)).toHaveLength(tokens.length * narrow)
})
