/** What is asked of a model, and what it answers, whatever the interface around it looks like. */

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
  /** Minutes that the user's clock is ahead of UTC; only without a datetimeReference. */
  timezoneOffset?: number
  /** What "tomorrow" is counted from: the user's local time, as written. Now, if absent. */
  datetimeReference?: Date
  dynamicLists?: readonly DynamicList[]
  externalEntities?: readonly ExternalEntity[]
  /** Of overlapping ones, the caller's win over the model's. */
  preferExternalEntities?: boolean
}

export interface PredictedIntent {
  name: string
  score: number
}

export type EntityKind = 'entity' | 'hierarchical' | 'composite' | 'list' | 'regex' | 'pattern.any' | 'prebuilt'

export interface PredictedEntity {
  /** Of the model: of a child, its own name without its parents'. */
  name: string
  kind: EntityKind
  /** The subtype of a prebuilt (builtin.datetimeV2.daterange), else the name. */
  type: string
  role?: string
  start: number
  length: number
  text: string
  /** Only learnt ones have a score. */
  score?: number
  resolution?: unknown
  /** The list, regex or prebuilt entity that a learnt one is an instance of: its type and its value are shown. */
  instance?: PredictedEntity
  children: PredictedEntity[]
  /** Who found it: the model, or the caller. */
  source: 'model' | 'external' | 'dynamic-list'
}

export interface Prediction {
  query: string
  topIntent: string
  /** All of them, the best first. */
  intents: PredictedIntent[]
  entities: PredictedEntity[]
}
