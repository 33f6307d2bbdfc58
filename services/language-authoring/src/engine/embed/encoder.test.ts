import { expect, test } from 'vitest'
import { tokenize } from '../text/tokens.ts'
import { encoder, width } from './encoder.ts'
import { narrow, tokenRows, wide } from './rows.ts'

const near = (a: string, b: string): number => {
  const [left, right] = [encoder().encode(a).sentence, encoder().encode(b).sentence]
  return left.reduce((sum, value, i) => sum + value * (right[i] ?? 0), 0)
}

test('sentences that mean the same are nearer than sentences that share words', () => {
  const asked = 'how do i get my money back'
  expect(near(asked, 'i would like a refund')).toBeGreaterThan(near(asked, 'how do i get to the back door'))
  expect(near(asked, asked)).toBeCloseTo(1, 5)
})

test('every text has numbers: none, one sign, more than the encoder reads, scripts that it never saw', () => {
  for (const text of ['', '?', 'word '.repeat(1000), '你好世界', '\u{1f600}\ud800', 'ﬁne ½']) {
    const { sentence, rows, pieces } = encoder().encode(text)
    expect(sentence).toHaveLength(width)
    expect(sentence.every(Number.isFinite)).toBe(true)
    expect(rows).toHaveLength(pieces.length * width)
    expect(pieces.length).toBeLessThanOrEqual(128)
  }
})

test('tokens have the numbers of their pieces', () => {
  const text = 'unbelievable weather, tomorrow'
  const encoded = encoder().encode(text)
  const tokens = tokenize(text, 'en-us')
  const rows = tokenRows(encoded, tokens, wide)
  expect(rows).toHaveLength(tokens.length * wide)
  for (const [i] of tokens.entries())
    expect(rows.subarray(i * wide, (i + 1) * wide).some((value) => value !== 0)).toBe(true)
  expect(tokenRows(encoded, tokens, narrow)).toHaveLength(tokens.length * narrow)
})
