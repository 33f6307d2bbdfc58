/** Queries and predictions, independent of the API version. */

export interface DynamicList {
  listEntityName: string
  requestLists: { name?: string; canonicalForm: string; synonyms?: readonly string[] }[]
}

export interface ExternalEntity {
  entityName: string
  startIndex: number
  entityLength: number
  resolution?: unknown
  score?: number
}

export interface Query {
  query: string
  /** Minutes by which the user's clock is ahead of UTC; only without a datetimeReference. */
  timezoneOffset?: number
  /** The user's local time, for words such as "tomorrow". Default: now. */
  datetimeReference?: Date
  dynamicLists?: readonly DynamicList[]
  externalEntities?: readonly ExternalEntity[]
  /** Whether the caller's entities win over overlapping ones of the model. */
  preferExternalEntities?: boolean
}

export interface PredictedIntent {
  name: string
  score: number
}

export type EntityKind = 'entity' | 'hierarchical' | 'composite' | 'list' | 'regex' | 'pattern.any' | 'prebuilt'

export interface PredictedEntity {
  /** Name of the model; of a child, without its parents'. */
  name: string
  kind: EntityKind
  /** Subtype of a prebuilt (builtin.datetimeV2.daterange), else the name. */
  type: string
  role?: string
  start: number
  length: number
  text: string
  /** Only for learned entities. */
  score?: number
  resolution?: unknown
  /** The list, regex or prebuilt entity that a learned one is an instance of: its type and value are shown. */
  instance?: PredictedEntity
  children: PredictedEntity[]
  source: 'model' | 'external' | 'dynamic-list'
}

export interface Prediction {
  query: string
  topIntent: string
  /** All intents, the best first. */
  intents: PredictedIntent[]
  entities: PredictedEntity[]
}
