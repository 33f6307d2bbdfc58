/** An app as the original exports it, in schema version 7. Older ones are upgraded on import. */

export interface AppDocument {
  luis_schema_version: string
  versionId: string
  name: string
  desc: string
  culture: string
  tokenizerVersion?: string
  intents: Intent[]
  entities: Entity[]
  hierarchicals: Hierarchical[]
  composites: Composite[]
  closedLists: ClosedList[]
  patternAnyEntities: PatternAny[]
  regex_entities: RegexEntity[]
  prebuiltEntities: Prebuilt[]
  phraselists: PhraseList[]
  regex_features: RegexFeature[]
  patterns: Pattern[]
  utterances: Utterance[]
  settings: Setting[]
}

/** Source of a model that was copied from a prebuilt domain. */
export interface Inherits {
  domain_name: string
  model_name: string
}

/** A phrase list (featureName) or model (modelName) whose hits are a feature of a model, or a required condition. */
export interface Feature {
  featureName?: string
  modelName?: string
  isRequired?: boolean
}

export interface Intent {
  name: string
  features?: Feature[]
  inherits?: Inherits
}

export interface Child {
  name: string
  instanceOf?: string | null
  children?: Child[]
  features?: Feature[]
}

export interface Entity extends Child {
  roles: string[]
  inherits?: Inherits
}

export interface Hierarchical {
  name: string
  children: { name: string }[]
  roles?: string[]
  features?: Feature[]
  inherits?: Inherits
}

export interface Composite {
  name: string
  children: { name: string }[]
  roles: string[]
  features?: Feature[]
  inherits?: Inherits
}

export interface SubList {
  canonicalForm: string
  list: string[]
}

export interface ClosedList {
  name: string
  subLists: SubList[]
  roles: string[]
  inherits?: Inherits
}

export interface PatternAny {
  name: string
  explicitList: string[]
  roles: string[]
  inherits?: Inherits
}

export interface RegexEntity {
  name: string
  regexPattern: string
  roles: string[]
}

export interface Prebuilt {
  name: string
  roles: string[]
}

export interface PhraseList {
  name: string
  /** Whether its words are interchangeable, and not merely of one kind. */
  mode: boolean
  /** Separated by commas. */
  words: string
  activated: boolean
  enabledForAllModels: boolean
}

export interface RegexFeature {
  name: string
  pattern: string
  activated?: boolean
}

export interface Pattern {
  pattern: string
  intent: string
}

/** A label, from startPos to endPos inclusive, counted in UTF-16 units. */
export interface Label {
  entity: string
  startPos: number
  endPos: number
  role?: string
  children?: Label[]
}

export interface Utterance {
  text: string
  intent: string
  entities: Label[]
}

export interface Setting {
  name: string
  value: string
}
