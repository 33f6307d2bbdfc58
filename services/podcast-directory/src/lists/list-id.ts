import { createHash } from 'node:crypto'

/** Deterministic id of eleven letters and digits, as in the original API. */
export const listIdOf = (...words: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(words)).digest('base64url').replace(/[-_]/g, '').slice(0, 11)
