import { Failure } from '@icosa/kernel'

/** What keeps a source from being deployed: the message goes to whoever wrote it, so it says what to change. */
export type Reason = 'InvalidSource' | 'MissingDependencies' | 'SyntaxError' | 'BuildTimeout' | 'NotHealthy'

export const buildFailure = (code: Reason, message: string): Failure => new Failure('invalid', message, { code })

export function refuseSource(message: string): never {
  throw buildFailure('InvalidSource', `The source cannot be built: ${message}`)
}
