import { createHash } from 'node:crypto'

/** Eleven letters and digits, as lists of the API are named; always the same for the same words. */
export const listIdOf = (...words: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(words)).digest('base64url').replace(/[-_]/g, '').slice(0, 11)
