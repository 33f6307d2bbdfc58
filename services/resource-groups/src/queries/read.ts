import { type Static, Type } from '@icosa/contract'
import { closed, type Detail, invalid, isStorable, lazyValidator } from '@icosa/kernel'
import { type ResourceQuery, resourceType } from '../groups/contract.ts'
import { allTypes, tagQuery } from '../names.ts'

/** The types that a query is about, in lower case. */
export type Types = 'all' | readonly string[]

/** A resource has the tag and, where values are given, one of them as its value. */
export interface TagFilter {
  readonly key: string
  readonly values: readonly string[] | undefined
}

/** What a query asks for. Every filter must hold. */
export type Query =
  | { readonly kind: 'tags'; readonly types: Types; readonly filters: readonly TagFilter[] }
  | { readonly kind: 'stack'; readonly types: Types; readonly stack: string }

const types = Type.Optional(Type.Array(resourceType, { minItems: 1, maxItems: 50 }))

const tagShape = Type.Object({
  ResourceTypeFilters: types,
  TagFilters: Type.Optional(
    Type.Array(
      Type.Object({
        Key: Type.String({ minLength: 1, maxLength: 128 }),
        Values: Type.Optional(Type.Array(Type.String({ maxLength: 256 }), { maxItems: 50 })),
      }),
      { maxItems: 50 },
    ),
  ),
})

const stackShape = Type.Object({
  ResourceTypeFilters: types,
  StackIdentifier: Type.String({ minLength: 1, maxLength: 2048 }),
})

// Closed: a misspelt TagFilters would otherwise find everything.
const checkTags = lazyValidator(closed(tagShape), 'body')
const checkStack = lazyValidator(closed(stackShape), 'body')

const at = 'body/ResourceQuery/Query'

/** Reads the JSON in a query's text. What is wrong is refused with the place where it stands. */
export function readQuery({ Type: type, Query: text }: ResourceQuery): Query {
  const value = parse(text)
  const wrong = (type === tagQuery ? checkTags : checkStack)(value)
  if (wrong.length > 0) invalid(wrong.map(inQuery))
  return type === tagQuery
    ? tagQueryOf(value as Static<typeof tagShape>)
    : stackQueryOf(value as Static<typeof stackShape>)
}

/** The types that a query asks for, in lower case; a query that cannot be read is refused. */
export function typesAskedBy(query: ResourceQuery): readonly string[] {
  const { types } = readQuery(query)
  return types === 'all' ? [allTypes.toLowerCase()] : types
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text, storable)
  } catch (error) {
    invalid([{ at, message: `is not JSON: ${(error as Error).message}` }])
  }
}

function storable(_: string, value: unknown): unknown {
  if (typeof value === 'string' && !isStorable(value))
    throw new SyntaxError('a text contains a NUL or an unpaired surrogate')
  return value
}

const inQuery = ({ at: place, message }: Detail): Detail => ({ at: place.replace(/^body/, at), message })

function stackQueryOf({ ResourceTypeFilters, StackIdentifier }: Static<typeof stackShape>): Query {
  return { kind: 'stack', types: typesOf(ResourceTypeFilters), stack: StackIdentifier }
}

function tagQueryOf({ ResourceTypeFilters, TagFilters = [] }: Static<typeof tagShape>): Query {
  const filters = new Map<string, readonly string[] | undefined>()
  for (const { Key, Values = [] } of TagFilters) filters.set(Key, both(filters.get(Key), valuesOf(Values)))
  return {
    kind: 'tags',
    types: typesOf(ResourceTypeFilters),
    filters: [...filters].map(([key, values]) => ({ key, values })),
  }
}

const valuesOf = (values: readonly string[]) => (values.length === 0 ? undefined : [...new Set(values)])

/** Two filters of one key are one of the values that both take. */
function both(one: TagFilter['values'], other: TagFilter['values']): TagFilter['values'] {
  return one && other ? one.filter((value) => other.includes(value)) : (one ?? other)
}

function typesOf(named: readonly string[] = [allTypes]): Types {
  const lower = named.map((type) => type.toLowerCase())
  return lower.includes(allTypes.toLowerCase()) ? 'all' : [...new Set(lower)]
}
