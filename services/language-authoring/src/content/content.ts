import type { ReadableType } from '../shapes/contract.ts'

/** Content of a version except its utterances: stored as one document, changed in memory. */
export interface Content {
  /** In order of creation. */
  models: Model[]
  phraseLists: PhraseList[]
  regexFeatures: RegexFeature[]
  patterns: PatternRule[]
  settings: VersionSetting[]
  tokenizerVersion?: string
  extra?: Extra
  /** Format of the imported file, used again for export. */
  form: Form
  /** Next numeric id. */
  nextNumber: number
}

export type Kind = 'intent' | 'entity' | 'hierarchical' | 'composite' | 'list' | 'patternAny' | 'regex' | 'prebuilt'

export interface Model {
  readonly id: string
  readonly kind: Kind
  name: string
  /** Empty for an intent. */
  roles: Role[]
  features: Relation[]
  /** Parts of a machine-learned or hierarchical entity; of a composite, names of other entities. */
  children: Child[]
  instanceOf?: string | null
  inherits?: Inherits
  subLists?: SubList[]
  explicitList?: ExplicitItem[]
  regexPattern?: string
  /** A hierarchical entity of an older file, listed under entities. */
  isAmongEntities?: true
  extra?: Extra
}

/** Members of a file without a meaning here, exported unchanged. */
export type Extra = Readonly<Record<string, unknown>>

export interface Child {
  readonly id: string
  name: string
  instanceOf?: string | null
  features: Relation[]
  children: Child[]
  extra?: Extra
}

export interface Role {
  readonly id: string
  name: string
}

/** A feature of a model: a phrase list or another model, by name. */
export interface Relation {
  featureName?: string
  modelName?: string
  isRequired?: boolean
  extra?: Extra
}

export interface Inherits {
  readonly domain_name: string
  readonly model_name: string
}

export interface SubList {
  readonly id: number
  canonicalForm: string
  list: string[]
}

export interface ExplicitItem {
  readonly id: number
  explicitListItem: string
}

export interface PhraseList {
  readonly id: number
  name: string
  /** Separated by commas. */
  phrases: string
  isExchangeable: boolean
  isActive: boolean
  enabledForAllModels: boolean
  extra?: Extra
}

export interface RegexFeature {
  readonly id: number
  name: string
  pattern: string
  /** Default: true. */
  isActive?: boolean
  extra?: Extra
}

export interface PatternRule {
  readonly id: string
  pattern: string
  /** The id of its intent. */
  intent: string
}

export interface VersionSetting {
  name: string
  /** A string; in some files another type. */
  value: unknown
}

export interface Form {
  readonly schema: string
  readonly phraseLists: 'phraselists' | 'model_features'
  readonly regexEntities: 'regex_entities' | 'regexEntities'
  readonly regexFeatures: 'regex_features' | 'regexFeatures'
  readonly prebuilts: 'prebuiltEntities' | 'bing_entities'
  /** Whether children of composites are strings instead of objects. */
  readonly hasPlainChildren: boolean
}

/** A label of an utterance, by the id of a model or of a child. */
export interface Label {
  readonly model: string
  readonly start: number
  /** The last character, not the one after it. */
  readonly end: number
  readonly role?: string
  readonly children?: readonly Label[]
}

export const newestForm: Form = {
  schema: '7.0.0',
  phraseLists: 'phraselists',
  regexEntities: 'regex_entities',
  regexFeatures: 'regex_features',
  prebuilts: 'prebuiltEntities',
  hasPlainChildren: false,
}

export const emptyContent = (): Content => ({
  models: [],
  phraseLists: [],
  regexFeatures: [],
  patterns: [],
  settings: [],
  tokenizerVersion: '1.0.0',
  form: newestForm,
  nextNumber: 1,
})

interface KindInfo {
  readonly noun: string
  readonly typeId: number
  readonly readableType: ReadableType
}

export const kinds: Readonly<Record<Kind, KindInfo>> = {
  intent: { noun: 'intent', typeId: 0, readableType: 'Intent Classifier' },
  entity: { noun: 'entity', typeId: 1, readableType: 'Entity Extractor' },
  prebuilt: { noun: 'prebuilt entity', typeId: 2, readableType: 'Prebuilt Entity Extractor' },
  hierarchical: { noun: 'hierarchical entity', typeId: 3, readableType: 'Hierarchical Entity Extractor' },
  composite: { noun: 'composite entity', typeId: 4, readableType: 'Composite Entity Extractor' },
  list: { noun: 'list entity', typeId: 5, readableType: 'Closed List Entity Extractor' },
  patternAny: { noun: 'pattern.any entity', typeId: 7, readableType: 'Pattern.Any Entity Extractor' },
  regex: { noun: 'regex entity', typeId: 8, readableType: 'Regex Entity Extractor' },
}

export const noneIntent = 'None'
