import { type Detail, invalid } from '@icosa/kernel'
import { reservedPrefix } from '../names.ts'

export const maxTags = 50

const letters = /^[\p{L}\p{Z}\p{N}_.:/=+\-@]*$/u
const allowed = 'has letters, digits, spaces and _ . : / = + - @'

/** Refuses tags that a group cannot have. */
export function checkTags(tags: Readonly<Record<string, string>>, at = 'body/Tags'): void {
  const problems = Object.entries(tags).flatMap(([key, value]) => [
    ...keyProblems(key, at),
    ...valueProblems(value, `${at}/${key}`),
  ])
  if (problems.length > 0) invalid(problems)
}

/** Refuses more tags than a group can have. */
export function checkCount(tags: Readonly<Record<string, string>>): void {
  const count = Object.keys(tags).length
  if (count > maxTags)
    invalid([{ at: 'body/Tags', message: `would result in ${count} tags; a group can have at most ${maxTags}` }])
}

function keyProblems(key: string, at: string): Detail[] {
  if (key.length === 0 || key.length > 128) return [{ at, message: 'must have keys of 1 to 128 characters' }]
  if (!letters.test(key)) return [{ at, message: `has an invalid key: one ${allowed}` }]
  if (key.toLowerCase().startsWith(reservedPrefix))
    return [{ at: `${at}/${key}`, message: `begins with ${reservedPrefix}, which only the platform may set` }]
  return []
}

function valueProblems(value: string, at: string): Detail[] {
  return letters.test(value) ? [] : [{ at, message: `has an invalid value: one ${allowed}` }]
}
