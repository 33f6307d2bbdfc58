import { Failure } from '@icosa/kernel'

/** Reason why a source cannot be deployed, shown to its author. */
export type Reason = 'InvalidSource' | 'MissingDependencies' | 'SyntaxError' | 'BuildTimeout' | 'NotHealthy'

export const buildFailure = (code: Reason, message: string): Failure => new Failure('invalid', message, { code })

export function refuseSource(message: string): never {
  throw buildFailure('InvalidSource', `The source cannot be built: ${message}`)
}
