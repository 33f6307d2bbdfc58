import type { QueryResult } from 'pg'
import sql, { join, raw, type Sql } from 'sql-template-tag'
import { prepared, type Statement } from './statement.ts'

type Send = (statement: Statement) => Promise<QueryResult>

type Row = Readonly<Record<string, unknown>>

interface Read {
  readonly source: Sql
  readonly statement: Statement
  readonly resolve: (row: Row | undefined) => void
  readonly reject: (error: unknown) => void
}

/** Pending reads with one statement text. */
interface Line {
  readonly waiting: Read[]
  /** Whether a statement will be sent at the end of this turn of the event loop. */
  isDue: boolean
  underWay: number
}

const statementConcurrency = 2
const readsLimit = 100

/** Takes the prepared statement if the caller has it: preparing is costly on the request path. */
export type PointRead = <T>(source: Sql, statement?: Statement) => Promise<T | undefined>

/**
 * Batches point reads with the same text that arrive in one turn of the event loop, or faster than the database
 * answers: batches grow with the load, and a lone read is sent alone. A read joins only a statement sent after it was
 * requested, so it sees everything committed before.
 */
export function pointReads(send: Send): PointRead {
  const lines = new Map<string, Line>()

  /** Sends a batch once all reads of this turn of the event loop have arrived. */
  function soon(text: string, line: Line): void {
    if (line.isDue || line.underWay >= statementConcurrency) return
    line.isDue = true
    setImmediate(() => void next(text, line))
  }

  async function next(text: string, line: Line): Promise<void> {
    const reads = line.waiting.splice(0, readsLimit)
    line.isDue = false
    line.underWay++
    if (line.waiting.length > 0) soon(text, line)
    if (reads.length === 1 || !(await readBatch(send, reads))) await readEach(send, reads)
    line.underWay--
    if (line.waiting.length > 0) soon(text, line)
    else if (line.underWay === 0) lines.delete(text)
  }

  return <T>(source: Sql, statement = prepared(source)) =>
    new Promise<T | undefined>((resolve, reject) => {
      const { text } = statement
      let line = lines.get(text)
      if (!line) {
        line = { waiting: [], isDue: false, underWay: 0 }
        lines.set(text, line)
      }
      line.waiting.push({ source, statement, resolve: resolve as Read['resolve'], reject })
      soon(text, line)
    })
}

const readEach = (send: Send, reads: readonly Read[]) =>
  Promise.all(
    reads.map(({ statement, resolve, reject }) => send(statement).then(({ rows }) => resolve(rows[0]), reject)),
  )

/** Returns false if the batch failed without settling any read. */
async function readBatch(send: Send, reads: readonly Read[]): Promise<boolean> {
  const { source, statement } = reads[0] as Read
  const types = await typesOf(send, statement.text)
  if (!types) return false
  try {
    const { rows } = await send(prepared(combined(source, types, reads)))
    const results = new Array<Row | undefined>(reads.length)
    for (const { [placeColumn]: place, ...row } of rows) results[Number(place) - 1] = row
    for (const [place, { resolve }] of reads.entries()) resolve(results[place])
    return true
  } catch (error) {
    const { code = '' } = error as { readonly code?: string }
    if (isOfValue(code)) return false // caused by one read: the others must not fail with it
    if (isOfText(code)) parameterTypes.set(statement.text, Promise.resolve(undefined))
    else for (const { reject } of reads) reject(error)
    return !isOfText(code)
  }
}

const isOfValue = (code: string) => code.startsWith('22')
const isOfText = (code: string) => code.startsWith('42') || code.startsWith('0A')

const placeColumn = '#'

/** The limit makes the planner look up each row separately. */
function combined({ strings }: Sql, types: readonly string[], reads: readonly Read[]): Sql {
  const columns = types.map((type, column) => {
    const values = reads.map(({ statement }) => statement.values[column])
    return sql`${values}::${raw(type)}[]`
  })
  const names = types.map((_, column) => `value${column + 1}`)
  const text = strings.reduce((before, after, column) => `${before} asked.value${column}${after}`)
  return sql`
    select asked.${raw(`"${placeColumn}"`)}, found.*
    from unnest(${join(columns)}) with ordinality as asked (${raw(names.join(', '))}, ${raw(`"${placeColumn}"`)})
    cross join lateral (select * from (${raw(text)}) as rows limit 1) as found`
}

/** Parameter types by text; undefined if its reads cannot be combined. */
const parameterTypes = new Map<string, Promise<readonly string[] | undefined>>()
const maxDescribed = 1_000

function typesOf(send: Send, text: string): Promise<readonly string[] | undefined> | undefined {
  let types = parameterTypes.get(text)
  if (!types && parameterTypes.size < maxDescribed) {
    types = describe(send, text).catch(() => {
      parameterTypes.delete(text) // perhaps an outage: try again next time
      return undefined
    })
    parameterTypes.set(text, types)
  }
  return types
}

let describes = 0

/** Asks the server for the parameter types. Names are used once: after an error, the statement may remain prepared. */
async function describe(send: Send, text: string): Promise<readonly string[] | undefined> {
  const name = `icosa_point_read_${++describes}`
  const script = `
    prepare ${name} as ${text};
    select parameter_types::text[] as types from pg_prepared_statements where name = '${name}';
    deallocate ${name}`
  const results = [await send({ text: script, values: [] })].flat() // several statements return an array
  const types: readonly string[] = results[1]?.rows[0].types
  const canUnnest = types.length > 0 && !types.some((type) => type.endsWith('[]')) // cannot nest arrays
  return canUnnest ? types : undefined
}
