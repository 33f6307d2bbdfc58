import { createHash } from 'node:crypto'

/** Letters and digits without accents and in lower case: what a headline is searched by. */
const plain = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()

/** The words of a text, each once. */
export const wordsOf = (text: string): string[] => [...new Set(plain(text).match(/[\p{L}\p{N}]+/gu) ?? [])]

/** For addresses: `Snow in Málaga!` is `snow-in-malaga`. Empty if there is nothing to make it of. */
export function slugOf(text: string): string {
  const words = plain(text).match(/[a-z0-9]+/g) ?? []
  return words.join('-').slice(0, 80).replace(/-$/, '')
}

/** A word of a tenant as the index knows it: 64 bits as a signed number. */
export function wordKey(tenant: string, word: string): string {
  return createHash('sha256').update(`${tenant}\0${word}`).digest().readBigInt64BE().toString()
}
