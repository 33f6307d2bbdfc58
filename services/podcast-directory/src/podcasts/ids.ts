import { invalid } from '@icosa/kernel'

const id = /^[0-9a-f]{32}$/

/** Maximum batch size; clients of the original send ten. */
export const maxBatch = 100

/** Unique entries of a comma-separated list. */
export function listOf(text: string | undefined): string[] {
  const entries = (text ?? '').split(',').map((entry) => entry.trim())
  return [...new Set(entries.filter((entry) => entry !== ''))]
}

/** Valid ids of a comma-separated list. */
export const idsOf = (text: string | undefined): string[] => listOf(text).filter((entry) => id.test(entry))

export function checkCount(count: number): void {
  if (count > maxBatch) invalid([{ at: 'body', message: `contains ${count} ids: the maximum is ${maxBatch}` }])
}
