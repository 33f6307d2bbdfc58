import { invalid, join, type Sql, sql } from '@icosa/kernel'
import type { Order } from './store.ts'

/** The fields by which functions can be found. */
const fields: Readonly<Record<string, Sql>> = {
  name: sql`('projects/' || subscription_key || '/locations/' || location || '/functions/' || name_key)`,
  state: sql`state`,
  environment: sql`'GEN_2'`,
  description: sql`(desired->>'description')`,
  'buildConfig.runtime': sql`(desired->'buildConfig'->>'runtime')`,
  'buildConfig.entryPoint': sql`(desired->'buildConfig'->>'entryPoint')`,
  'eventTrigger.eventType': sql`(desired->'eventTrigger'->>'eventType')`,
}

const term = /^\s*([\w.]+(?:\."[^"]+"|-[\w-]+)*)\s*(!=|=|:)\s*("(?:[^"\\]|\\.)*"|[^\s"()]+)\s*$/

/** `state = "ACTIVE" AND labels.env = prod`: `=` compares, `:` finds a part, and `labels.env:*` asks whether there is one. */
export function toCondition(filter: string): Sql {
  if (filter.trim() === '') return sql`true`
  return join(
    filter.split(/\s+AND\s+/).map((text) => {
      const [, field = '', operator = '', quoted = ''] = term.exec(text) ?? refuse(text)
      const value = quoted.startsWith('"') ? quoted.slice(1, -1).replace(/\\(.)/g, '$1') : quoted
      const column = columnOf(field) ?? refuse(text)
      if (operator === '!=') return sql`${column} is distinct from ${value}`
      if (operator === '=') return sql`${column} = ${value}`
      return value === '*' ? sql`${column} is not null` : sql`strpos(lower(${column}), lower(${value})) > 0`
    }),
    ' and ',
  )
}

function columnOf(field: string): Sql | undefined {
  const [, label] = /^labels\.("?)(.+)\1$/.exec(field) ? [undefined, field.slice(7).replaceAll('"', '')] : []
  return label === undefined
    ? Object.hasOwn(fields, field)
      ? fields[field]
      : undefined
    : sql`(desired->'labels'->>${label})`
}

function refuse(text: string): never {
  return invalid([
    {
      at: 'query/filter',
      message: `'${text.trim()}' is not understood: write FIELD = VALUE, FIELD != VALUE or FIELD:VALUE, joined by AND, with one of ${Object.keys(fields).join(', ')} or labels.KEY`,
    },
  ])
}

/** `updateTime desc`; by name if nothing is said. */
export function toOrder(orderBy: string): Order {
  if (orderBy.trim() === '') return { by: 'name', descending: false }
  const [, by, direction] =
    /^\s*(name|createTime|create_time|updateTime|update_time)(?:\s+(asc|desc))?\s*$/.exec(orderBy) ?? []
  if (by === undefined)
    return invalid([
      { at: 'query/orderBy', message: `is '${orderBy}': order by name, createTime or updateTime, then asc or desc` },
    ])
  const named = by === 'name' ? 'name' : by.startsWith('create') ? 'createTime' : 'updateTime'
  return { by: named, descending: direction === 'desc' }
}
