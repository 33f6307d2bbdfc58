import { createHash } from 'node:crypto'
import { invalid } from '../errors.ts'

/**
 * Encodes a keyset pagination token: the keys of the last row, with a version and bound to its query. Tokens of another
 * list, filter or tenant are refused.
 */
export function encodeToken(keys: readonly unknown[], query: unknown): string {
  return Buffer.from(JSON.stringify([version, fingerprint(query), ...keys])).toString('base64url')
}

export function decodeToken(token: string, query: unknown, at: string): unknown[] {
  const [tokenVersion, bound, ...keys] = parse(token)
  if (tokenVersion !== version || bound !== fingerprint(query))
    invalid([{ at, message: 'is not a token of this list: start again without one' }])
  return keys
}

const version = 1

function fingerprint(query: unknown): string {
  return createHash('sha256').update(JSON.stringify(query)).digest('base64url').slice(0, 12)
}

function parse(token: string): unknown[] {
  try {
    const value = JSON.parse(Buffer.from(token, 'base64url').toString())
    return Array.isArray(value) ? value : []
  } catch {
    return []
  }
}

export interface Page<Row> {
  readonly items: Row[]
  readonly next?: string | undefined
}

export interface PageRequest {
  readonly limit: number
  readonly token?: string | undefined
  /** Everything that determines the list: tenant, filter, order. */
  readonly query: unknown
  /** Location of the token in the request, for the error. */
  readonly at?: string
}

/**
 * Reads one page by keyset pagination, at a cost that does not depend on its position. `read` gets the keys to start
 * after, and one row more than the limit, which shows whether there is a next page.
 */
export async function readPage<Row>(
  { limit, token, query, at = 'query/token' }: PageRequest,
  keysOf: (row: Row) => readonly unknown[],
  read: (after: readonly unknown[] | undefined, limit: number) => Promise<Row[]>,
): Promise<Page<Row>> {
  const after = token === undefined ? undefined : decodeToken(token, query, at)
  const rows = await read(after, limit + 1)
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  return rows.length > limit && last !== undefined ? { items, next: encodeToken(keysOf(last), query) } : { items }
}
