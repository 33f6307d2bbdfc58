import { type Db, join, lockName, type ReadingDb, type Sql, sql } from '@icosa/kernel'
import type { Asked } from '../search/conditions-store.ts'
import type { Question } from '../search/question.ts'
import { coarsest, countsOf, type Refinement, valuesOfRow } from '../search/refinements-store.ts'

/** Of what there are tallies: all that is public, or what has one value of these. */
export type Scope = { readonly kind: 'tenant' } | { readonly kind: ScopeKind; readonly id: string }
type ScopeKind = 'owner' | 'assignment' | 'country' | 'hasLocation' | 'mediaType'

/** Undefined if the question asks for anything else, or for two of them. */
export function scopeOf({ states, created, words = [], ...question }: Question): Scope | undefined {
  const { assignment, owner, country, hasLocation, mediaType, ...others } = question
  const asksMore = created.length > 0 || words.length > 0 || Object.values(others).some((one) => one !== undefined)
  if (states !== 'public' || asksMore) return undefined
  const scopes: Scope[] = []
  const add = (kind: ScopeKind, id: string | undefined) => id !== undefined && scopes.push({ kind, id })
  add('assignment', assignment)
  add('owner', owner)
  add('country', country)
  add('hasLocation', hasLocation?.toString())
  add('mediaType', mediaType)
  // What cannot be an id is no assignment's.
  if (scopes.length > 1 || (assignment !== undefined && !/^[1-9]\d{0,17}$/.test(assignment))) return undefined
  return scopes[0] ?? { kind: 'tenant' }
}

const nameOf = (scope: Scope) => (scope.kind === 'tenant' ? 'tenant' : `${scope.kind}:${scope.id}`)

/** Those that hold an assignment as a whole, or nothing of it. */
const isOfAssignments = ({ kind }: Scope) => kind === 'tenant' || kind === 'owner' || kind === 'assignment'

/** What has changed since tallies were brought up to date. Nodes of the last version know only the first. */
const books = {
  assignments: {
    changes: sql`contribution_collection.tally_changes`,
    scopes: sql`values ('tenant'), ('owner:' || c.owner), ('assignment:' || c.assignment)`,
  },
  values: {
    changes: sql`contribution_collection.value_changes`,
    scopes: sql`
      select 'country:' || c.country union all select 'hasLocation:' || (c.cell is not null)
      union all select 'mediaType:' || unnest(c.media_types)`,
  },
}

/** Which assignments have something in the scope, of `assignments as a`. */
function holding(scope: Scope): Sql {
  if (scope.kind === 'owner') return sql`a.owner = ${scope.id}`
  return scope.kind === 'assignment' ? sql`a.id = ${scope.id}::bigint` : sql`true`
}

/** What is in the scope, of `c`. */
function within(scope: Scope): Sql {
  if (scope.kind === 'tenant') return sql`true`
  const conditions: Readonly<Record<ScopeKind, Sql>> = {
    owner: sql`c.owner = ${scope.id}`,
    assignment: sql`c.assignment = ${scope.id}::bigint`,
    country: sql`c.country = ${scope.id}`,
    hasLocation: sql`(c.cell is not null) = ${scope.id === 'true'}`,
    mediaType: sql`${scope.id} = any(c.media_types)`,
  }
  return conditions[scope.kind]
}

/** What tallies do not know, of the tables of `tallied`: changes, and what assignments hide if there are no tallies of it. */
function unknown(scope: Scope, tenant: string): Sql {
  if (isOfAssignments(scope))
    return sql`${books.assignments.changes} as c
      where c.tenant = ${tenant} and ${within(scope)} and c.assignment <> all(array(select id from hidden))`
  const columns = sql`assignment, owner, author, country, created_at, cell, cell_precision, media_types`
  return sql`(
    select ${columns}, change from ${books.values.changes} where tenant = ${tenant}
    union all select ${columns}, -1 from contribution_collection.contributions
    where tenant = ${tenant} and is_public and assignment = any(array(select id from hidden))) as c where ${within(scope)}`
}

/**
 * The values that most have: from the tallies, what has changed since, and less what assignments hide. Values that are
 * not adjusted keep their order, so `size` and as many more as there are adjusted ones are enough to choose from.
 */
export function tallied(names: readonly Refinement[], scope: Scope, { tenant, now }: Asked, size: number): Sql {
  const { tables, counts } = countsOf(names, coarsest, unknown(scope, tenant), sql`c.change`)
  const ofScope = sql`t.tenant = ${tenant} and t.scope = ${nameOf(scope)}`
  const most = names.map(
    (name) => sql`
      (select ${name}::text as refinement, k.value, coalesce(t.contributions, 0) + coalesce(a.change, 0) as contributions
      from (
        select value from (
          select t.value from contribution_collection.tallies as t where ${ofScope} and t.refinement = ${name}
          order by t.contributions desc, t.value
          limit ${size}::bigint + (select count(*) from adjusted where refinement = ${name})) as first
        union select value from adjusted where refinement = ${name}) as k
      left join contribution_collection.tallies as t on ${ofScope} and t.refinement = ${name} and t.value = k.value
      left join adjusted as a on a.refinement = ${name} and a.value = k.value
      where coalesce(t.contributions, 0) + coalesce(a.change, 0) > 0
      order by contributions desc, k.value collate "C" limit ${size})`,
  )
  return sql`
    with hidden as materialized (
      select a.id from contribution_collection.assignments as a
      where a.tenant = ${tenant} and a.embargo > ${now} and ${holding(scope)}
      union select a.id from contribution_collection.assignments as a
      where a.tenant = ${tenant} and a.deleted_at is not null and ${holding(scope)}),
    ${tables},
    adjusted as materialized (
      select refinement, value, sum(contributions) as change from (
        ${join(
          counts.map((one) => one.counts),
          ' union all ',
        )}
        union all
        select t.refinement, t.value, -t.contributions from contribution_collection.tallies as t
        where ${isOfAssignments(scope)} and t.tenant = ${tenant}
          and t.scope = any(array(select 'assignment:' || id from hidden)) and t.refinement = any(${names})) as changed
      group by refinement, value)
    ${join(most, ' union all ')}`
}

/** Whose tallies are not up to date. */
export async function changedTenants(db: ReadingDb): Promise<string[]> {
  const rows = await db.many<{ tenant: string }>(sql`
    select tenant from ${books.assignments.changes} union select tenant from ${books.values.changes}`)
  return rows.map(({ tenant }) => tenant)
}

/** Adds the oldest changes to the tallies. Answers how many of one book at most; others who do the same wait. */
export async function addChanges(db: Db, tenant: string, limit: number): Promise<number> {
  await lockName(db, `contribution-collection tallies ${tenant}`)
  const taken: number[] = []
  for (const book of Object.values(books)) taken.push(await addBook(db, tenant, book, limit))
  return Math.max(...taken)
}

async function addBook(db: Db, tenant: string, { changes, scopes }: Record<'changes' | 'scopes', Sql>, limit: number) {
  const { taken, empty } = await db.one<{
    taken: number
    empty: { scope: string; refinement: string; value: string }[]
  }>(sql`
    with taken as (
      delete from ${changes} where tenant = ${tenant} and id in (
        select id from ${changes} where tenant = ${tenant} order by id limit ${limit})
      returning *),
    counted as (
      select s.scope, v.refinement, v.value, sum(c.change) as change from taken as c
      cross join lateral (${scopes}) as s (scope)
      cross join lateral (${valuesOfRow}) as v
      where s.scope is not null and v.value is not null group by s.scope, v.refinement, v.value having sum(c.change) <> 0),
    written as (
      insert into contribution_collection.tallies as t (tenant, scope, refinement, value, contributions)
      select ${tenant}, scope, refinement, value, change from counted
      on conflict (tenant, scope, refinement, value) do update set contributions = t.contributions + excluded.contributions
      returning scope, refinement, value, contributions)
    select (select count(*) from taken)::int as taken, coalesce(
      (select json_agg(w) from (select scope, refinement, value from written where contributions <= 0) as w), '[]') as empty`)
  await db.run(sql`
    delete from contribution_collection.tallies as t
    using json_to_recordset(${JSON.stringify(empty)}::json) as e (scope text, refinement text, value text)
    where t.tenant = ${tenant} and t.scope = e.scope and t.refinement = e.refinement and t.value = e.value`)
  return taken
}
