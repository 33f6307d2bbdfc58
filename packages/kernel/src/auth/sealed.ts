/** Where sealed values lie. Master keys are replaced by these lists: what is sealed elsewhere would be left behind. */
export interface SealedColumn {
  /** With its schema. */
  readonly table: string
  readonly column: string
  /** To what a value is bound, with columns of its row: `job-scheduler {tenant} {id}`. */
  readonly place: string
}

/** The context with which the value of a row is sealed and opened. */
export function placeOf({ place }: SealedColumn, row: Readonly<Record<string, string>>): string {
  return place.replace(/\{(\w+)\}/g, (_, column: string) => row[column] as string)
}

const own: readonly SealedColumn[] = [
  { table: 'icosa.credentials', column: 'signing_secret', place: '{id}' },
  { table: 'icosa.signing_keys', column: 'private_jwk', place: '{kid}' },
]

export function sealedColumnsOf(services: readonly { readonly sealed?: readonly SealedColumn[] }[]): SealedColumn[] {
  return [...own, ...services.flatMap(({ sealed = [] }) => sealed)]
}
