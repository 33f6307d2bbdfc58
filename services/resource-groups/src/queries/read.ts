import { type Static, Type } from '@icosa/contract'
import { closed, type Detail, invalid, isStorable, lazyValidator } from '@icosa/kernel'
import { type ResourceQuery, resourceType } from '../groups/contract.ts'
import { allTypes, tagQuery } from '../names.ts'

/** Resource types in lower case. */
export type Types = 'all' | readonly string[]

/** Matches resources with the tag and, if there are values, with one of them. */
export interface TagFilter {
  readonly key: string
  readonly values: readonly string[] | undefined
}

/** A parsed query. Every filter must match. */
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

// Closed: a misspelt TagFilters would otherwise match everything.
const checkTags = lazyValidator(closed(tagShape), 'body')
const checkStack = lazyValidator(closed(stackShape), 'body')

const at = 'body/ResourceQuery/Query'

/** Parses the JSON in a query's text. Errors are refused with their location. */
export function readQuery({ Type: type, Query: text }: ResourceQuery): Query {
  const value = parse(text)
  const problems = (type === tagQuery ? checkTags : checkStack)(value)
  if (problems.length > 0) invalid(problems.map(inQuery))
  return type === tagQuery
    ? tagQueryOf(value as Static<typeof tagShape>)
    : stackQueryOf(value as Static<typeof stackShape>)
}

/** Returns the types in a query, in lower case. Invalid queries are refused. */
export function requestedTypes(query: ResourceQuery): readonly string[] {
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

const inQuery = ({ at: location, message }: Detail): Detail => ({ at: location.replace(/^body/, at), message })

function stackQueryOf({ ResourceTypeFilters, StackIdentifier }: Static<typeof stackShape>): Query {
  return { kind: 'stack', types: typesOf(ResourceTypeFilters), stack: StackIdentifier }
}

function tagQueryOf({ ResourceTypeFilters, TagFilters = [] }: Static<typeof tagShape>): Query {
  const filters = new Map<string, readonly string[] | undefined>()
  for (const { Key, Values = [] } of TagFilters) filters.set(Key, intersection(filters.get(Key), valuesOf(Values)))
  return {
    kind: 'tags',
    types: typesOf(ResourceTypeFilters),
    filters: [...filters].map(([key, values]) => ({ key, values })),
  }
}

const valuesOf = (values: readonly string[]) => (values.length === 0 ? undefined : [...new Set(values)])

/** Combines two filters of one key. */
function intersection(a: TagFilter['values'], b: TagFilter['values']): TagFilter['values'] {
  return a && b ? a.filter((value) => b.includes(value)) : (a ?? b)
}

function typesOf(filters: readonly string[] = [allTypes]): Types {
  const lower = filters.map((type) => type.toLowerCase())
  return lower.includes(allTypes.toLowerCase()) ? 'all' : [...new Set(lower)]
}
