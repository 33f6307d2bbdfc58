import type { Bind } from '@icosa/sandbox'
import type { Revision } from '../revision.ts'

/** Program that runs functions, with its mounts. */
export interface Runtime {
  readonly name: string
  /** Version of the program. */
  readonly version: string
  readonly binds: readonly Bind[]
  argv(revision: Pick<Revision, 'memoryBytes'>): readonly string[]
  readonly environment: Readonly<Record<string, string>>
}

/** An available runtime, or the problem and its remedy. */
export type RuntimeStatus =
  | { readonly name: string; readonly version: string }
  | { readonly name: string; readonly problem: string }
