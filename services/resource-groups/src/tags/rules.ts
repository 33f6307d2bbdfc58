import { type Detail, invalid } from '@icosa/kernel'
import { reservedPrefix } from '../names.ts'

export const tagLimit = 50

const letters = /^[\p{L}\p{Z}\p{N}_.:/=+\-@]*$/u
const allowed = 'has letters, digits, spaces and _ . : / = + - @'

/** Refuses tags that a group cannot have. */
export function checkTags(tags: Readonly<Record<string, string>>, at = 'body/Tags'): void {
  const wrong = Object.entries(tags).flatMap(([key, value]) => [
    ...wrongKey(key, at),
    ...wrongValue(value, `${at}/${key}`),
  ])
  if (wrong.length > 0) invalid(wrong)
}

/** Refuses more tags than a group can have. */
export function checkCount(tags: Readonly<Record<string, string>>): void {
  const count = Object.keys(tags).length
  if (count > tagLimit)
    invalid([{ at: 'body/Tags', message: `would result in ${count} tags; a group can have at most ${tagLimit}` }])
}

function wrongKey(key: string, at: string): Detail[] {
  if (key.length === 0 || key.length > 128) return [{ at, message: 'must have keys of 1 to 128 characters' }]
  if (!letters.test(key)) return [{ at, message: `has an invalid key: one ${allowed}` }]
  if (key.toLowerCase().startsWith(reservedPrefix))
    return [{ at: `${at}/${key}`, message: `begins with ${reservedPrefix}, which only the platform may set` }]
  return []
}

function wrongValue(value: string, at: string): Detail[] {
  return letters.test(value) ? [] : [{ at, message: `has an invalid value: one ${allowed}` }]
}
