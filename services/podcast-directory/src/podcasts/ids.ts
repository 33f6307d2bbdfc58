import { invalid } from '@icosa/kernel'

const id = /^[0-9a-f]{32}$/

/** So many things are read by one request; clients of the original ask for ten. */
export const maxConcurrent = 100

/** The entries of a list that is written with commas, each once. */
export function listOf(text: string | undefined): string[] {
  const entries = (text ?? '').split(',').map((entry) => entry.trim())
  return [...new Set(entries.filter((entry) => entry !== ''))]
}

/** Ids that are written with commas; what cannot be an id is left out, as one that is not there. */
export const idsOf = (text: string | undefined): string[] => listOf(text).filter((entry) => id.test(entry))

export function checkCount(count: number): void {
  if (count > maxConcurrent)
    invalid([{ at: 'body', message: `names ${count} things: ask for at most ${maxConcurrent} at once` }])
}
