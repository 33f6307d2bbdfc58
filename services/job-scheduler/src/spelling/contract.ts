import { type Schema, Type } from '@icosa/contract'

/** A word as callers write it: `StorageQueue`, `storageQueue` or `storagequeue`. */
export type Spelling<V extends string> = V | Uncapitalize<V> | Lowercase<V>

/** One of some words. Client libraries and old examples write them in other cases than the interface's description. */
export function spelled<const V extends string>(...values: V[]): Schema<Spelling<V>> {
  const inAnyCase = values.flatMap((value) => [
    value,
    value.charAt(0).toLowerCase() + value.slice(1),
    value.toLowerCase(),
  ])
  return Type.Enum([...new Set(inAnyCase)]) as unknown as Schema<Spelling<V>> // what flatMap does, in types
}
