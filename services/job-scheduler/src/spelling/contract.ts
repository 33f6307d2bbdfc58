import { type Schema, Type } from '@icosa/contract'

/** Accepted spellings: `StorageQueue`, `storageQueue` or `storagequeue`. */
export type Spelling<V extends string> = V | Uncapitalize<V> | Lowercase<V>

/** An enumeration in several letter cases: client libraries and old examples differ from the specification. */
export function spelled<const V extends string>(...values: V[]): Schema<Spelling<V>> {
  const inAnyCase = values.flatMap((value) => [
    value,
    value.charAt(0).toLowerCase() + value.slice(1),
    value.toLowerCase(),
  ])
  return Type.Enum([...new Set(inAnyCase)]) as unknown as Schema<Spelling<V>> // TypeScript cannot infer it
}
