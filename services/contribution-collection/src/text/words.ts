import { createHash } from 'node:crypto'

/** Lower case without accents, as for search in headlines. */
const plain = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()

/** Unique words of a text. */
export const wordsOf = (text: string): string[] => [...new Set(plain(text).match(/[\p{L}\p{N}]+/gu) ?? [])]

/** `Snow in Málaga!` becomes `snow-in-malaga`. May be empty. */
export function slugOf(text: string): string {
  const words = plain(text).match(/[a-z0-9]+/g) ?? []
  return words.join('-').slice(0, 80).replace(/-$/, '')
}

/** Index key of a tenant's word: a signed 64-bit hash. */
export function wordKey(tenant: string, word: string): string {
  return createHash('sha256').update(`${tenant}\0${word}`).digest().readBigInt64BE().toString()
}
