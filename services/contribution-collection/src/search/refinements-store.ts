import { join, type Sql, sql } from '@icosa/kernel'

/** Refinements with few combinations of values are counted together in one pass. */
type Pass = 'assignments' | 'kinds' | 'days' | 'cells' | 'authors'

interface RefinementSource {
  readonly pass: Pass
  /** Expression on `contributions as c`. `length`: that of geohashes. */
  readonly column: (length: number) => Sql
  /** Name of the column. */
  readonly name: Sql
  /** Option value, computed from the column. */
  readonly value: Sql
}

function of(pass: Pass, name: Sql, column: Sql | RefinementSource['column'], value = name): RefinementSource {
  return { pass, name, value, column: typeof column === 'function' ? column : () => column }
}

const day = sql`(c.created_at at time zone 'UTC')::date`

export const refinements = {
  assignment: of('assignments', sql`assignment`, sql`c.assignment`, sql`assignment::text`),
  country: of('kinds', sql`country`, sql`c.country`),
  createdDay: of('days', sql`day`, day, sql`to_char(day, 'YYYY-MM-DD')`),
  createdMonth: of('days', sql`day`, day, sql`to_char(day, 'YYYY-MM')`),
  geohash: of(
    'cells',
    sql`hash`,
    (length) => sql`case when c.cell_precision >= ${length} then left(c.cell, ${length}) end`,
  ),
  hasLocation: of('kinds', sql`is_located`, sql`c.cell is not null`, sql`is_located::text`),
  mediaType: of('kinds', sql`media_types`, sql`c.media_types`, sql`unnest(media_types)`),
  ownedBy: of('assignments', sql`owner`, sql`c.owner`),
  user: of('authors', sql`author`, sql`c.author`),
} satisfies Readonly<Record<string, RefinementSource>>
export type Refinement = keyof typeof refinements
export const refinementNames = Object.keys(refinements) as Refinement[]

/** Default geohash length. */
export const coarsest = 3

/**
 * Returns common table expressions, and for each refinement a select of `refinement`, `value` and `contributions`. `rows`:
 * the from clause; `weight`: how many contributions a row represents.
 */
export function countsOf(names: readonly Refinement[], length: number, rows: Sql, weight: Sql) {
  const sources = names.map((name) => ({ refinement: name, ...refinements[name] }) as const)
  const columnsOf = (group: readonly RefinementSource[]) => [
    ...new Map(group.map((source) => [source.name.sql, source])).values(),
  ]
  const passes = [...Map.groupBy(sources, ({ pass }) => pass)].map(([pass, group]) => {
    const columns = join(columnsOf(group).map(({ name }) => name))
    return sql`${passNames[pass]} as materialized (select ${columns}, sum(n) as n from found group by ${columns})`
  })
  const columns = columnsOf(sources).map(({ name, column }) => sql`${column(length)} as ${name}`)
  return {
    tables: sql`
      found as materialized (select ${join(columns)}, ${weight} as n from ${rows}),
      ${join(passes)}`,
    counts: sources.map(({ refinement, pass, value }) => ({
      refinement,
      counts: sql`
        select ${refinement}::text as refinement, value, sum(n) as contributions
        from (select ${value} as value, n from ${passNames[pass]}) as valued where value is not null group by value`,
    })),
  }
}

const passNames: Readonly<Record<Pass, Sql>> = {
  assignments: sql`assignments`,
  kinds: sql`kinds`,
  days: sql`days`,
  cells: sql`cells`,
  authors: sql`authors`,
}

/** All refinements and values of one row `c`, as rows. */
export const valuesOfRow: Sql = join(
  refinementNames.map((refinement) => {
    const { name, column, value } = refinements[refinement]
    return sql`
      select ${refinement}::text as refinement, ${value} as value from (select ${column(coarsest)} as ${name}) as one`
  }),
  ' union all ',
)
