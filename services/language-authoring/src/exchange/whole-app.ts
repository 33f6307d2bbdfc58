import type { Content } from '../content/content.ts'
import type { Example } from '../examples/store.ts'

/** A version of an app with the whole content of a file, with ids. */
export interface WholeApp {
  /** Empty in files of some tools; then the import must name it. */
  readonly name: string
  readonly description: string
  readonly culture: string
  readonly versionId: string
  readonly content: Content
  readonly examples: readonly Example[]
}

export interface ReadFile extends WholeApp {
  /** Unknown members of the file. */
  readonly unknown: readonly string[]
}
