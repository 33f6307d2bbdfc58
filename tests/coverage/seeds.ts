import { type Seed, seedNotes } from '@icosa/testing'

/** Rows of one tenant for every service that keeps any: strangers are then sent after them. */
export const seeds: Readonly<Record<string, Seed>> = {
  example: seedNotes,
}
