import type { Column } from './column.ts'

/**
 * Kinds of panels, and what each draws: a value, a list, or a value or list in each row of another list. What ends
 * with `?` may be left out. An object serves as a list, too: of its members, with their names as `name`.
 */
export const panelKinds = {
  table: { rows: 'list' },
  lines: { rows: 'list', text: 'value of rows', time: 'value of rows?', stream: 'value of rows?' },
  machine: {
    states: 'list',
    name: 'value of states',
    transitions: 'list of states',
    to: 'value of transitions',
    when: 'value of transitions?',
    initial: 'value?',
    live: 'list?',
    state: 'value of live?',
  },
  ranking: { rows: 'list', label: 'value of rows', value: 'value of rows' },
  marked: {
    text: 'value',
    marks: 'list',
    start: 'value of marks',
    length: 'value of marks',
    mark: 'value of marks',
    rows: 'list',
    label: 'value of rows',
    value: 'value of rows',
  },
  boxes: {
    picture: 'value',
    boxes: 'list',
    left: 'value of boxes',
    top: 'value of boxes',
    width: 'value of boxes',
    height: 'value of boxes',
    label: 'value of boxes?',
  },
  media: {
    items: 'list',
    url: 'value of items',
    title: 'value of items?',
    type: 'value of items?',
    seconds: 'value of items?',
    time: 'value of items?',
  },
  map: { points: 'list', latitude: 'value of points', longitude: 'value of points', label: 'value of points?' },
  dots: { cells: 'list' },
  code: { text: 'value' },
  tree: { root: 'value' },
  hex: { bytes: 'value', headers: 'value?' },
  response: { status: 'value', headers: 'value', body: 'value', ms: 'value?' },
  query: { columns: 'list', rows: 'value', plan: 'value?', isTruncated: 'value?', affected: 'value?' },
  calendar: { rows: 'list', time: 'value of rows', label: 'value of rows', state: 'value of rows?' },
  postings: {
    rows: 'list',
    time: 'value of rows',
    amount: 'value of rows',
    description: 'value of rows?',
    counterparty: 'value of rows?',
    balance: 'value?',
  },
  values: {
    rows: 'list',
    name: 'value of rows',
    value: 'value of rows',
    variant: 'value of rows?',
    time: 'value of rows',
  },
} as const

type Kinds = typeof panelKinds
export type PanelKind = keyof Kinds
type Optional = `${string}?`

type ShowAs<Kind extends PanelKind> = { readonly as: Kind } & {
  readonly [Field in keyof Kinds[Kind] as Kinds[Kind][Field] extends Optional ? never : Field]: string
} & { readonly [Field in keyof Kinds[Kind] as Kinds[Kind][Field] extends Optional ? Field : never]?: string }

/**
 * How a panel is drawn, with dotted paths into the reply of its operation, or into the item if it has none.
 * `item:`, `also:`, `headers:` and `sent:` before a path choose the item, the other reply, the reply's headers or the
 * request body.
 */
export type Show = { readonly [Kind in PanelKind]: ShowAs<Kind> }[PanelKind]

/** An operation, and what of an item it is called with. */
export interface PanelCall {
  readonly operation: string
  /** Fields of the item by path or query parameter, or by path in the body. */
  readonly fields?: Readonly<Record<string, string>>
  /** Values of query parameters that people need not decide. */
  readonly query?: Readonly<Record<string, string>>
  /** Query parameters and members of the path that people are asked for, with suggestions. */
  readonly ask?: Readonly<Record<string, string>>
  /** The body to start with. */
  readonly body?: unknown
}

/** The inside of a resource or of a service: the reply of an operation as a picture. */
export interface Panel extends Partial<PanelCall> {
  readonly title: string
  readonly about?: string
  /** A second operation, which is read with the first one. */
  readonly also?: PanelCall
  readonly show: Show
  /** Fields of a row, as in a view. */
  readonly columns?: readonly string[]
  /** An operation for each row: its fields are those of the row. */
  readonly act?: PanelCall
}

/** A panel with everything derived. */
export interface ResolvedPanel {
  readonly title: string
  readonly about?: string
  readonly call?: PanelCall
  /** Whether the operation changes nothing, so that it can be called without a click. */
  readonly reads: boolean
  readonly also?: PanelCall
  readonly as: PanelKind
  readonly show: Readonly<Record<string, string>>
  readonly columns?: Column[]
  readonly act?: PanelCall & { readonly label: string }
}
