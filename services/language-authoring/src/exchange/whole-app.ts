import type { Content } from '../content/content.ts'
import type { Example } from '../examples/store.ts'

/** A version of an app with all that a file says of it, and ids for everything that needs one. */
export interface WholeApp {
  /** Empty in files that tools have made: whoever imports one names it. */
  readonly name: string
  readonly description: string
  readonly culture: string
  readonly versionId: string
  readonly content: Content
  readonly examples: readonly Example[]
}

export interface ReadFile extends WholeApp {
  /** Members of the file that mean nothing here. */
  readonly unknown: readonly string[]
}
