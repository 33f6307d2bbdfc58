import { invalid, join, type Sql, sql } from '@icosa/kernel'
import { readFilter } from '../filter.ts'
import type { Order } from './store.ts'

const fields: Readonly<Record<string, Sql>> = {
  name: sql`('projects/' || subscription_key || '/locations/' || location || '/functions/' || name_key)`,
  state: sql`state`,
  environment: sql`'GEN_2'`,
  description: sql`(desired->>'description')`,
  'buildConfig.runtime': sql`(desired->'buildConfig'->>'runtime')`,
  'buildConfig.entryPoint': sql`(desired->'buildConfig'->>'entryPoint')`,
  'eventTrigger.eventType': sql`(desired->'eventTrigger'->>'eventType')`,
}

/** Compiles `state = "ACTIVE" AND labels.env = prod`: `:` is contains, and `labels.env:*` tests for existence. */
export function toCondition(filter: string): Sql {
  const terms = readFilter(filter, [...Object.keys(fields), 'labels.KEY'], isLabel)
  if (terms.length === 0) return sql`true`
  return join(
    terms.map(({ field, operator, value }) => {
      const column = isLabel(field) ? sql`(desired->'labels'->>${labelIn(field)})` : (fields[field] as Sql)
      if (operator === '!=') return sql`${column} is distinct from ${value}`
      if (operator === '=') return sql`${column} = ${value}`
      return value === '*' ? sql`${column} is not null` : sql`strpos(lower(${column}), lower(${value})) > 0`
    }),
    ' and ',
  )
}

const isLabel = (field: string) => /^labels\../.test(field)
const labelIn = (field: string) => field.slice('labels.'.length).replaceAll('"', '')

/** Parses `updateTime desc`; by name if empty. */
export function toOrder(orderBy: string): Order {
  if (orderBy.trim() === '') return { by: 'name', descending: false }
  const [, by, direction] =
    /^\s*(name|createTime|create_time|updateTime|update_time)(?:\s+(asc|desc))?\s*$/.exec(orderBy) ?? []
  if (by === undefined)
    return invalid([
      { at: 'query/orderBy', message: `is '${orderBy}': order by name, createTime or updateTime, then asc or desc` },
    ])
  const field = by === 'name' ? 'name' : by.startsWith('create') ? 'createTime' : 'updateTime'
  return { by: field, descending: direction === 'desc' }
}
