import type { Readable } from 'node:stream'
import { Failure } from '@icosa/kernel'
import pg from 'pg'
import type { QueryResult, Statement } from './contract.ts'

type Cells = (string | null)[]

interface Rows {
  readonly columns: { name: string; type: string }[]
  readonly rows: Cells[]
  readonly affected: number | null
  readonly isTruncated: boolean
}

const maxRows = 1_000
const maxBytes = 2 ** 20
/** Of the connection: a single value may be a gigabyte, and a COPY or notices have no rows. */
const maxReceivedBytes = 2 ** 24
/** Should the host not answer: it ends a statement itself before that. */
const maxMs = 20_000

const typeNames = new Map(Object.entries(pg.types.builtins).map(([name, oid]) => [Number(oid), name.toLowerCase()]))
/** Values as PostgreSQL writes them: numbers keep their digits, JSON its spelling, bytes are hexadecimal. */
const asText = { getTypeParser: () => (text: string | Buffer) => String(text) }

/** Runs one statement in a transaction that cannot write unless it is to. */
export async function runStatement(
  client: pg.Client,
  { statement, write = false, explain = false }: Statement,
): Promise<QueryResult> {
  const began = performance.now()
  try {
    await client.query(write && !explain ? 'begin' : 'begin read only')
    // After its first snapshot, a transaction that reads only can no longer be made one that writes.
    await client.query('select 1')
    const result = await execute(client, explain ? `explain (format text) ${statement}` : statement)
    if (result.isTruncated && write && !explain)
      throw refusal('The statement returned too much, so its changes were undone: return fewer rows.')
    if (!result.isTruncated) await client.query(write && !explain ? 'commit' : 'rollback')
    const durationMs = performance.now() - began
    const { affected, ...read } = result
    if (explain)
      return { columns: [], rows: [], isTruncated: read.isTruncated, durationMs, plan: read.rows.flat().join('\n') }
    return { ...read, durationMs, ...(affected !== null && { affected }) }
  } catch (error) {
    throw error instanceof pg.DatabaseError ? refusalOf(error) : error
  }
}

const refusal = (message: string, more: ErrorOptions = {}) =>
  new Failure('invalid', message, { code: 'StatementFailed', ...more })

/** PostgreSQL's own message, which is about the tenant's own statement and rows. */
export function refusalOf(cause: pg.DatabaseError): Failure {
  const { message, code, position, detail, hint } = cause
  const place = position === undefined ? '' : ` (at character ${position})`
  const more = [detail, hint].filter(Boolean).map((text) => ` ${text}`)
  return refusal(`${message}${place}.${more.join('')} SQLSTATE ${code}.`, { cause })
}

/**
 * Executes text in the extended protocol, in which PostgreSQL refuses several statements. Closes the connection when
 * there is more than the limits allow, which ends the statement and its transaction.
 */
function execute(client: pg.Client, text: string): Promise<Rows> {
  const { stream } = (client as unknown as { readonly connection: { readonly stream: Readable } }).connection
  const config = { text, queryMode: 'extended', rowMode: 'array', types: asText }
  const query = new pg.Query<Cells>(config as pg.QueryConfig)
  const rows: Cells[] = []
  let columns: Rows['columns'] = []
  let bytes = 0
  let received = 0
  return new Promise<Rows>((resolve, reject) => {
    const cutOff = () => {
      resolve({ columns, rows, affected: null, isTruncated: true })
      stream.destroy()
    }
    const onData = (chunk: Buffer) => {
      received += chunk.length
      if (received > maxReceivedBytes) cutOff()
    }
    const timer = setTimeout(() => {
      reject(refusal('The database did not answer in time.'))
      stream.destroy()
    }, maxMs)
    const done = () => {
      clearTimeout(timer)
      stream.off('data', onData)
    }
    stream.on('data', onData)
    query.on('row', (row, result) => {
      if (stream.destroyed) return
      columns = columnsOf(result)
      bytes += row.reduce((sum, cell) => sum + Buffer.byteLength(cell ?? ''), 0)
      if (rows.length >= maxRows || bytes > maxBytes) cutOff()
      else rows.push(row)
    })
    query.on('error', (error) => {
      done()
      reject(error)
    })
    query.on('end', (result) => {
      done()
      resolve({ columns: columnsOf(result), rows, affected: result.rowCount ?? null, isTruncated: false })
    })
    client.query(query)
  })
}

const columnsOf = (result: { readonly fields: pg.FieldDef[] } | undefined) =>
  (result?.fields ?? []).map(({ name, dataTypeID }) => ({
    name,
    type: typeNames.get(dataTypeID) ?? `type ${dataTypeID}`,
  }))
