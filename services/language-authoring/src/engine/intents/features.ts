import { hash, mix } from '../text/hash.ts'
import type { Token } from '../text/tokens.ts'

/** Hashes the features of a sentence. Each group has its own norm, so that many characters do not outweigh few words. */
export function sentenceHashes(tokens: readonly Token[], hints: readonly string[]): Map<number, number> {
  const features = new Map<number, number>()
  group(features, 1, words(tokens))
  group(features, 0.8, pairs(tokens))
  group(features, 0.9, characters(tokens))
  group(
    features,
    0.7,
    hints.map((hint) => `h ${hint}`),
  )
  return features
}

/** Keys of a word, and of its character n-grams. */
export const tokenHashes = (token: Token): { word: number; characters: number[] } => ({
  word: mix(hash(words([token])[0] ?? '')),
  characters: characters([token]).map((name) => mix(hash(name))),
})

function group(features: Map<number, number>, norm: number, names: readonly string[]): void {
  if (names.length === 0) return
  const counts = new Map<number, number>()
  for (const name of names) {
    const key = mix(hash(name))
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  let squares = 0
  for (const count of counts.values()) squares += (1 + Math.log(count)) ** 2
  const scale = norm / Math.sqrt(squares)
  for (const [key, count] of counts) features.set(key, (1 + Math.log(count)) * scale)
}

const masked = (normal: string) => normal.replace(/\p{N}/gu, '0')

function words(tokens: readonly Token[]): string[] {
  return tokens.map((token) => `w ${masked(token.normal)}`)
}

function pairs(tokens: readonly Token[]): string[] {
  const names: string[] = []
  for (let i = 0; i <= tokens.length; i++) {
    const before = i === 0 ? '^' : masked(tokens[i - 1]?.normal ?? '')
    const after = i === tokens.length ? '$' : masked(tokens[i]?.normal ?? '')
    names.push(`b ${before} ${after}`)
    const second = tokens[i + 1]
    if (i > 0 && second) names.push(`s ${before} ${masked(second.normal)}`)
  }
  return names
}

function characters(tokens: readonly Token[]): string[] {
  const names: string[] = []
  for (const token of tokens) {
    const padded = [...` ${masked(token.normal)} `]
    for (let n = 3; n <= 5; n++)
      for (let i = 0; i + n <= padded.length; i++) names.push(`c ${padded.slice(i, i + n).join('')}`)
  }
  return names
}
