import { type Db, join, lockName, type ReadingDb, type Sql, sql } from '@icosa/kernel'
import type { SearchContext } from '../search/conditions-store.ts'
import type { Question } from '../search/question.ts'
import { coarsest, countsOf, type Refinement, valuesOfRow } from '../search/refinements-store.ts'

/** Scope of a tally: all public contributions, or those with one value of these. */
export type Scope = { readonly kind: 'tenant' } | { readonly kind: ScopeKind; readonly id: string }
type ScopeKind = 'owner' | 'assignment' | 'country' | 'hasLocation' | 'mediaType'

/** Undefined if the question has other filters, or two of these. */
export function scopeOf({ states, created, words = [], ...question }: Question): Scope | undefined {
  const { assignment, owner, country, hasLocation, mediaType, ...others } = question
  const hasOtherFilters =
    created.length > 0 || words.length > 0 || Object.values(others).some((filter) => filter !== undefined)
  if (states !== 'public' || hasOtherFilters) return undefined
  const scopes: Scope[] = []
  const add = (kind: ScopeKind, id: string | undefined) => id !== undefined && scopes.push({ kind, id })
  add('assignment', assignment)
  add('owner', owner)
  add('country', country)
  add('hasLocation', hasLocation?.toString())
  add('mediaType', mediaType)
  // An invalid id has no tally.
  if (scopes.length > 1 || (assignment !== undefined && !/^[1-9]\d{0,17}$/.test(assignment))) return undefined
  return scopes[0] ?? { kind: 'tenant' }
}

const nameOf = (scope: Scope) => (scope.kind === 'tenant' ? 'tenant' : `${scope.kind}:${scope.id}`)

/** Whether the scope contains all of an assignment or none of it. */
const isOfAssignments = ({ kind }: Scope) => kind === 'tenant' || kind === 'owner' || kind === 'assignment'

/** Changes since the tallies were updated. Nodes of the previous version know only the first table. */
const deltas = {
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

/** Condition for assignments in the scope, on `assignments as a`. */
function assignmentsIn(scope: Scope): Sql {
  if (scope.kind === 'owner') return sql`a.owner = ${scope.id}`
  return scope.kind === 'assignment' ? sql`a.id = ${scope.id}::bigint` : sql`true`
}

/** Condition for contributions in the scope, on `c`. */
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

/** Outstanding changes, and hidden contributions unless assignment tallies are subtracted. Uses tables of `tallied`. */
function adjustments(scope: Scope, tenant: string): Sql {
  if (isOfAssignments(scope))
    return sql`${deltas.assignments.changes} as c
      where c.tenant = ${tenant} and ${within(scope)} and c.assignment <> all(array(select id from hidden))`
  const columns = sql`assignment, owner, author, country, created_at, cell, cell_precision, media_types`
  return sql`(
    select ${columns}, change from ${deltas.values.changes} where tenant = ${tenant}
    union all select ${columns}, -1 from contribution_collection.contributions
    where tenant = ${tenant} and is_public and assignment = any(array(select id from hidden))) as c where ${within(scope)}`
}

/**
 * Selects the most frequent values: tallies plus changes, minus hidden assignments. Values without adjustment keep their
 * order, so the first `size` plus the number of adjusted ones are enough to choose from.
 */
export function tallied(names: readonly Refinement[], scope: Scope, { tenant, now }: SearchContext, size: number): Sql {
  const { tables, counts } = countsOf(names, coarsest, adjustments(scope, tenant), sql`c.change`)
  const ofScope = sql`t.tenant = ${tenant} and t.scope = ${nameOf(scope)}`
  const topValues = names.map(
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
      where a.tenant = ${tenant} and a.embargo > ${now} and ${assignmentsIn(scope)}
      union select a.id from contribution_collection.assignments as a
      where a.tenant = ${tenant} and a.deleted_at is not null and ${assignmentsIn(scope)}),
    ${tables},
    adjusted as materialized (
      select refinement, value, sum(contributions) as change from (
        ${join(
          counts.map((refinement) => refinement.counts),
          ' union all ',
        )}
        union all
        select t.refinement, t.value, -t.contributions from contribution_collection.tallies as t
        where ${isOfAssignments(scope)} and t.tenant = ${tenant}
          and t.scope = any(array(select 'assignment:' || id from hidden)) and t.refinement = any(${names})) as changed
      group by refinement, value)
    ${join(topValues, ' union all ')}`
}

/** Tenants with outstanding changes. */
export async function changedTenants(db: ReadingDb): Promise<string[]> {
  const rows = await db.many<{ tenant: string }>(sql`
    select tenant from ${deltas.assignments.changes} union select tenant from ${deltas.values.changes}`)
  return rows.map(({ tenant }) => tenant)
}

/** Adds the oldest changes to the tallies, under a lock. Returns the larger batch size of the two tables. */
export async function addChanges(db: Db, tenant: string, limit: number): Promise<number> {
  await lockName(db, `contribution-collection tallies ${tenant}`)
  const sizes: number[] = []
  for (const delta of Object.values(deltas)) sizes.push(await addDelta(db, tenant, delta, limit))
  return Math.max(...sizes)
}

async function addDelta(db: Db, tenant: string, { changes, scopes }: Record<'changes' | 'scopes', Sql>, limit: number) {
  const { size, empty } = await db.one<{
    size: number
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
    select (select count(*) from taken)::int as size, coalesce(
      (select json_agg(w) from (select scope, refinement, value from written where contributions <= 0) as w), '[]') as empty`)
  await db.run(sql`
    delete from contribution_collection.tallies as t
    using json_to_recordset(${JSON.stringify(empty)}::json) as e (scope text, refinement text, value text)
    where t.tenant = ${tenant} and t.scope = e.scope and t.refinement = e.refinement and t.value = e.value`)
  return size
}
