export type ColumnKind = 'text' | 'number' | 'bytes' | 'time' | 'state' | 'tags' | 'money' | 'link'

export interface Column {
  readonly path: string
  readonly label: string
  readonly kind: ColumnKind
}
