import { join, type Sql, sql } from '@icosa/kernel'
import type { Field, Filter, Operator } from './ast.ts'

/** Compiles a filter to a condition. Caller input is passed as parameters, never as SQL. */
export function matching(filter: Filter): Sql {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return sql`(${join(filter.terms.map(matching), filter.kind === 'and' ? ' and ' : ' or ')})`
    case 'not':
      return sql`not ${matching(filter.term)}`
    case 'match':
      // Not LIKE, which has wildcards.
      return sql`coalesce(${matchOf(filter.how, columns[filter.field], filter.text)}, false)`
    case 'compare':
      return comparisonOf(columns[filter.field], filter.operator, filter.value)
  }
}

function matchOf(how: 'contains' | 'startswith' | 'endswith', column: Sql, text: string): Sql {
  switch (how) {
    case 'contains':
      return sql`strpos(${column}, ${text}) > 0`
    case 'startswith':
      return sql`starts_with(${column}, ${text})`
    case 'endswith':
      return sql`right(${column}, length(${text}::text)) = ${text}`
  }
}

/** "C" sorts by code point; JSON numbers are doubles. */
const columns: Readonly<Record<Field, Sql>> = {
  name: sql`name`,
  'properties/loggerId': sql`(properties ->> 'loggerId') collate "C"`,
  'properties/alwaysLog': sql`(properties ->> 'alwaysLog') collate "C"`,
  'properties/verbosity': sql`(properties ->> 'verbosity') collate "C"`,
  'properties/httpCorrelationProtocol': sql`(properties ->> 'httpCorrelationProtocol') collate "C"`,
  'properties/sampling/samplingType': sql`(properties #>> '{sampling,samplingType}') collate "C"`,
  'properties/sampling/percentage': sql`(properties #>> '{sampling,percentage}')::float8`,
  'properties/logClientIp': sql`(properties ->> 'logClientIp')::boolean`,
}

/** Never null: an unset field differs from every value and is neither less nor greater. */
function comparisonOf(column: Sql, operator: Operator, value: string | number | boolean | null): Sql {
  if (operator === 'eq') return sql`(${column}) is not distinct from ${typed(value)}`
  if (operator === 'ne') return sql`(${column}) is distinct from ${typed(value)}`
  return sql`coalesce((${column}) ${signs[operator]} ${typed(value)}, false)`
}

const signs: Readonly<Record<Exclude<Operator, 'eq' | 'ne'>, Sql>> = {
  gt: sql`>`,
  ge: sql`>=`,
  lt: sql`<`,
  le: sql`<=`,
}

function typed(value: string | number | boolean | null): Sql {
  if (value === null) return sql`null`
  if (typeof value === 'number') return sql`${value}::float8`
  return typeof value === 'boolean' ? sql`${value}::boolean` : sql`${value}::text`
}
