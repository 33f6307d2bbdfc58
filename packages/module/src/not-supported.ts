import { Failure } from '@icosa/kernel'
import type { Gap } from './gaps.ts'

/**
 * Refuses an unsupported feature. The only way to a 501, so that the table of limitations is complete. `feature` is the
 * caller's input, if it is more specific than the name: `createMode Restore`.
 */
export function notSupported({ name, instead }: Gap & { readonly answer: 501 }, feature = name): never {
  throw new Failure('notImplemented', `${feature} is not supported. ${instead}`.replaceAll('`', ''))
}
