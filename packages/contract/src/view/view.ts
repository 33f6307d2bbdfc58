import type { Column } from './column.ts'
import type { Panel, ResolvedPanel } from './panel.ts'

/** Groups of resources in the console's navigation, in order, named by what users look for. */
export const viewGroups = [
  'Data',
  'Compute',
  'Messages',
  'People',
  'Money',
  'Media',
  'Language and faces',
  'Keys and backups',
  'Platform',
] as const
export type ViewGroup = (typeof viewGroups)[number]

/**
 * Presentation of a resource, as far as it does not follow from its contract. Operations are named by ID, fields by dotted path.
 * All members but the title are derived from paths and schemas unless they are set; `null` removes a derived one.
 */
export interface View {
  readonly title: string
  /** Describes the resource in one sentence, for empty lists and forms. */
  readonly about?: string
  /** Defaults to the service's. */
  readonly group?: ViewGroup
  /** Its type in the registry of resources. */
  readonly type?: string
  /** Member of the reply with the items. `*` is the only member of a wrapper: `Response.*`. */
  readonly items?: string
  /** Fields of an item, the name first. A kind may precede: `money:balance`. */
  readonly columns?: readonly string[]
  readonly state?: string | null
  /** Fields of an item by path parameter, or by member of the body of operations without such a parameter. */
  readonly key?: Readonly<Record<string, string>>
  readonly get?: string | null
  readonly create?: string | null
  readonly update?: string | null
  readonly delete?: string | null
  readonly actions?: readonly string[]
  /** Labels of actions by operation, where its ID is not what a person would say. */
  readonly labels?: Readonly<Record<string, string>>
  /** The view whose items contain this list, and the fields of such an item by path parameter. */
  readonly parent?: { readonly view: string; readonly fields: Readonly<Record<string, string>> }
  /** Body that creates a first item. */
  readonly example?: unknown
  /** Title of a link on the console's home page to the form that creates an item. */
  readonly invitation?: string
  /** The inside of an item, as tabs. */
  readonly panels?: readonly Panel[]
}

/** The views of a service. */
export interface Views {
  readonly group: ViewGroup
  /** Initial values of path parameters that no resource provides, such as a project. */
  readonly scope?: Readonly<Record<string, string>>
  /** By ID of the operation that lists them. */
  readonly resources: Readonly<Record<string, View>>
  /** Lists without a view: other lists of the same items, or computed values. */
  readonly others?: readonly string[]
  /** What the service does without a resource, on its page. */
  readonly panels?: readonly Panel[]
}

/** How to read the next page: follow a link, or send a token, a page number, an offset or the last key. */
export interface NextPage {
  readonly by: 'link' | 'token' | 'page' | 'skip' | 'after'
  /** Member of the reply with the link or token. */
  readonly field?: string
  /** Query parameter, or member of the body of a POST. */
  readonly param?: string
}

/** An operation on an item, as a button. */
export interface Action {
  readonly id: string
  readonly label: string
}

/** A view with all derived members. */
export interface ResolvedView {
  readonly id: string
  readonly title: string
  readonly about: string
  readonly group: ViewGroup
  readonly type?: string
  readonly items: string
  readonly next?: NextPage
  readonly columns: Column[]
  /** Field with the display name. */
  readonly name: string
  readonly state?: string
  /** Path of an item. */
  readonly path?: string
  readonly key: Readonly<Record<string, string>>
  /** Member of the reply of `get` with the item. */
  readonly member?: string
  readonly get?: string
  readonly create?: string
  readonly update?: string
  readonly delete?: string
  readonly actions: Action[]
  readonly parent?: {
    readonly view: string
    /** Path parameters of the parent's item by those of this list. */
    readonly params?: Readonly<Record<string, string>>
    readonly fields?: Readonly<Record<string, string>>
  }
  readonly example?: unknown
  readonly invitation?: string
  readonly panels: readonly ResolvedPanel[]
}
