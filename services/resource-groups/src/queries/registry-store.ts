import { canonicalName, namesOf, type Owner, registryKeys } from '@icosa/dialects/signed/resource-name'
import { join, type ReadingDb, registered, type Sql, sql, varying } from '@icosa/kernel'
import { stackTags } from '../names.ts'
import type { Query, TagFilter } from './read.ts'

// The registry is the platform's: every service writes its own part, and this one is here to read it all.

export interface Registered {
  readonly key: string
  readonly id: string
  readonly type: string
}

/** A query with its types as services registered them. */
export interface SearchCriteria {
  readonly tenant: string
  readonly types: 'all' | readonly string[]
  readonly query: Query
}

const columns = sql`key, id, type`

/** The types of what a tenant has: one step in the index for each of them, however many resources there are. */
export async function typesOf(db: ReadingDb, tenant: string): Promise<string[]> {
  const rows = await db.many<{ type: string }>(sql`
    with recursive found as (
      (select type from ${registered(tenant)} r order by type limit 1)
      union all
      select (select r.type from ${registered(tenant)} r where r.type > found.type order by r.type limit 1)
      from found where found.type is not null)
    select type from found where type is not null`)
  return rows.map(({ type }) => type)
}

/** So many rows are looked at one by one before an index is asked for all that fits. */
const nearby = 1_000

/**
 * What a query finds after a key, in the order of keys. What is frequent is found within the next rows; only what is
 * rare is asked of the indexes of tags, which do not know that order and answer all of it at once. PostgreSQL would
 * have to guess which of the two it is, and where it guesses wrong it reads everything that the tenant has.
 */
export async function page(
  db: ReadingDb,
  criteria: SearchCriteria,
  after: string,
  limit: number,
): Promise<Registered[]> {
  const condition = matching(criteria.query)
  if (!condition)
    return db.many(varying(sql`select ${columns} from (${inOrder(criteria, after, limit)}) as found order by key`))
  const near = await db.many<Registered>(
    varying(sql`
      select ${columns} from (${inOrder(criteria, after, nearby)}) as nearby where ${condition} order by key limit ${limit}`),
  )
  if (near.length === limit) return near
  return db.many(
    varying(sql`
      with found as materialized (${selection(criteria)} and key > ${after})
      select ${columns} from found order by key limit ${limit}`),
  )
}

/** The next rows of certain types: each type's index answers in order, and the answers are merged. */
function inOrder({ tenant, types }: SearchCriteria, after: string, rows: number): Sql {
  const next = (ofType: Sql) => sql`
    (select * from ${registered(tenant)} r where key > ${after} and ${ofType} order by key limit ${rows})`
  if (types === 'all') return next(sql`true`)
  if (types.length === 0) return next(sql`false`)
  const each = types.map((type) => next(sql`type = ${type}`))
  return sql`select * from (${join(each, ' union all ')}) as of_types order by key limit ${rows}`
}

/** All that a query finds, as a statement for other stores. */
export function selection({ tenant, types, query }: SearchCriteria): Sql {
  const ofTypes = types === 'all' ? sql`true` : sql`type = any(${types})`
  return sql`
    select ${columns} from ${registered(tenant)} r where ${ofTypes} and ${matching(query) ?? sql`true`}`
}

/** Whether anything at all is of a stack. Planned as if all of it were wanted, so that the indexes are used. */
export async function hasStack(db: ReadingDb, tenant: string, stack: string): Promise<boolean> {
  const found = await db.maybe(
    varying(sql`
      with found as materialized (select 1 from ${registered(tenant)} r where ${inStack(stack)})
      select 1 from found limit 1`),
  )
  return found !== undefined
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

/** A stack is a resource group of the management services, or what a resource's tags name. */
function inStack(stack: string): Sql {
  return sql`(lower(scope) = lower(${stack}) or ${anyOf(stackTags.map((tag) => ({ [tag]: stack })))})`
}

/** So many combinations of values are written out; beyond that each key is asked for by itself. */
const combinations = 32

/**
 * Each combination of values as one document: how many rows have all of it together is something that the statistics
 * know, while of conditions side by side they assume that one has nothing to do with the other.
 */
function having(filters: readonly TagFilter[]): Sql {
  const choices = filters.map(({ key, values = [] }) => values.map((value) => ({ [key]: value })))
  const count = choices.reduce((product, { length }) => product * length, 1)
  if (count > combinations) return join(choices.map(anyOf), ' and ')
  return anyOf(choices.reduce((all, tags) => all.flatMap((one) => tags.map((tag) => ({ ...one, ...tag }))), [{}]))
}

/** Has all tags of one of these. */
function anyOf(documents: readonly Readonly<Record<string, string>>[]): Sql {
  if (documents.length === 0) return sql`false`
  return sql`(${join(
    documents.map((tags) => sql`tags @> ${JSON.stringify(tags)}::jsonb`),
    ' or ',
  )})`
}

/** The resources that texts name, in any spelling, by text. */
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
      const own = namesOf(owner, row)
      return names.filter(({ name }) => own.includes(name)).map(({ text }): [string, Registered] => [text, row])
    }),
  )
}
