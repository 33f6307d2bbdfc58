import { canonicalName, namesOf, type Owner, registryKeys } from '@icosa/dialects/signed/resource-name'
import { join, type ReadingDb, registered, type Sql, sql, varying } from '@icosa/kernel'
import { stackTags } from '../names.ts'
import type { Query, TagFilter } from './read.ts'

// The registry is the platform's: every service writes its own part, and this one reads all of it.

export interface Registered {
  readonly key: string
  readonly id: string
  readonly type: string
}

/** A query with its types as registered. */
export interface SearchCriteria {
  readonly tenant: string
  readonly types: 'all' | readonly string[]
  readonly query: Query
}

const columns = sql`key, id, type`

/** The types of a tenant's resources, by a loose index scan: one step per type, regardless of the number of resources. */
export async function typesOf(db: ReadingDb, tenant: string): Promise<string[]> {
  const rows = await db.many<{ type: string }>(sql`
    with recursive types as (
      (select type from ${registered(tenant)} r order by type limit 1)
      union all
      select (select r.type from ${registered(tenant)} r where r.type > types.type order by r.type limit 1)
      from types where types.type is not null)
    select type from types where type is not null`)
  return rows.map(({ type }) => type)
}

/** Rows that are scanned in key order before an index of tags is used. */
const maxNearbyRows = 1_000

/**
 * Returns the matches of a query after a key, in key order. Frequent matches are within the next rows; only rare ones
 * need the indexes of tags, which are not in key order and return all matches. PostgreSQL would have to estimate the
 * frequency, and with a wrong estimate reads all resources of the tenant.
 */
export async function page(
  db: ReadingDb,
  criteria: SearchCriteria,
  after: string,
  limit: number,
): Promise<Registered[]> {
  const condition = matching(criteria.query)
  if (!condition)
    return db.many(varying(sql`select ${columns} from (${inOrder(criteria, after, limit)}) as rows order by key`))
  const nearby = await db.many<Registered>(
    varying(sql`
      select ${columns} from (${inOrder(criteria, after, maxNearbyRows)}) as nearby where ${condition} order by key limit ${limit}`),
  )
  if (nearby.length === limit) return nearby
  return db.many(
    varying(sql`
      with matches as materialized (${selection(criteria)} and key > ${after})
      select ${columns} from matches order by key limit ${limit}`),
  )
}

/** Selects the next rows of certain types: each type is read in index order, and the results are merged. */
function inOrder({ tenant, types }: SearchCriteria, after: string, rows: number): Sql {
  const next = (ofType: Sql) => sql`
    (select * from ${registered(tenant)} r where key > ${after} and ${ofType} order by key limit ${rows})`
  if (types === 'all') return next(sql`true`)
  if (types.length === 0) return next(sql`false`)
  const each = types.map((type) => next(sql`type = ${type}`))
  return sql`select * from (${join(each, ' union all ')}) as of_types order by key limit ${rows}`
}

/** Selects all matches of a query, as a statement for other stores. */
export function selection({ tenant, types, query }: SearchCriteria): Sql {
  const ofTypes = types === 'all' ? sql`true` : sql`type = any(${types})`
  return sql`
    select ${columns} from ${registered(tenant)} r where ${ofTypes} and ${matching(query) ?? sql`true`}`
}

/** Whether a stack has any resource. Materialized, so that the indexes are used. */
export async function hasStack(db: ReadingDb, tenant: string, stack: string): Promise<boolean> {
  const row = await db.maybe(
    varying(sql`
      with matches as materialized (select 1 from ${registered(tenant)} r where ${inStack(stack)})
      select 1 from matches limit 1`),
  )
  return row !== undefined
}

function matching(query: Query): Sql | undefined {
  if (query.kind === 'stack') return inStack(query.stack)
  const keys = query.filters.filter(({ values }) => !values).map(({ key }) => key)
  const valued = query.filters.filter(({ values }) => values)
  const conditions = [
    ...(keys.length > 0 ? [sql`tags ?& ${keys}`] : []),
    ...(valued.length > 0 ? [having(valued)] : []),
  ]
  return conditions.length === 0 ? undefined : join(conditions, ' and ')
}

/** A stack is a resource group of the management services, or the value of a tag. */
function inStack(stack: string): Sql {
  return sql`(lower(scope) = lower(${stack}) or ${anyOf(stackTags.map((tag) => ({ [tag]: stack })))})`
}

/** Beyond this many combinations of values, each key becomes a condition of its own. */
const maxCombinations = 32

/**
 * Writes each combination of values as one document: statistics exist for documents, while separate conditions are
 * assumed to be independent.
 */
function having(filters: readonly TagFilter[]): Sql {
  const choices = filters.map(({ key, values = [] }) => values.map((value) => ({ [key]: value })))
  const count = choices.reduce((product, { length }) => product * length, 1)
  if (count > maxCombinations) return join(choices.map(anyOf), ' and ')
  return anyOf(
    choices.reduce(
      (products, tags) => products.flatMap((product) => tags.map((tag) => ({ ...product, ...tag }))),
      [{}],
    ),
  )
}

/** Matches resources with all tags of at least one document. */
function anyOf(documents: readonly Readonly<Record<string, string>>[]): Sql {
  if (documents.length === 0) return sql`false`
  return sql`(${join(
    documents.map((tags) => sql`tags @> ${JSON.stringify(tags)}::jsonb`),
    ' or ',
  )})`
}

/** Finds resources by ARN or id, in any spelling. */
export async function findNamed(
  db: ReadingDb,
  owner: Owner,
  texts: readonly string[],
): Promise<ReadonlyMap<string, Registered>> {
  const names = texts.flatMap((text) => {
    const name = canonicalName(owner, text)
    return name === undefined ? [] : { text, name }
  })
  const rows = await db.many<Registered & { readonly service: string }>(sql`
    select service, ${columns} from ${registered(owner.tenant)} r
    where key = any(${names.flatMap(({ name }) => registryKeys(name))}::text[])`)
  return new Map(
    rows.flatMap((row) => {
      const spellings = namesOf(owner, row)
      return names.filter(({ name }) => spellings.includes(name)).map(({ text }): [string, Registered] => [text, row])
    }),
  )
}
