import type { Bind } from '@icosa/sandbox'
import type { Revision } from '../revision.ts'

/** How functions are run: what the program is, and what it must see. */
export interface Runtime {
  readonly name: string
  /** Of what runs it, as that says itself. */
  readonly version: string
  readonly binds: readonly Bind[]
  argv(revision: Pick<Revision, 'memoryBytes'>): readonly string[]
  readonly environment: Readonly<Record<string, string>>
}

/** What this machine has, or why not, with what to do about it. */
export type FoundRuntime =
  | { readonly name: string; readonly version: string }
  | { readonly name: string; readonly problem: string }
