import { badArgument } from '../collections/failures.ts'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Validates the id after which a page begins. */
export function startOf(start: string | undefined): string | undefined {
  if (start === undefined || start === '') return undefined
  return uuid.test(start) ? start : badArgument('start must be the last id of the previous page.')
}
