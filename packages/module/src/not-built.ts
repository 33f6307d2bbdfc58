import { Failure } from '@icosa/kernel'
import type { Absence } from './absence.ts'

/**
 * Refuses what is not built. There is no other way to a 501, so the table of what is not there has all of them. `asked` is
 * what the caller sent, if that says more than the name: `createMode Restore`.
 */
export function notBuilt({ name, instead }: Absence & { readonly answer: 501 }, asked = name): never {
  throw new Failure('notImplemented', `${asked} is not built. ${instead}`.replaceAll('`', ''))
}
