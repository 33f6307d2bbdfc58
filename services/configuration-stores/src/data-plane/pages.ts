import { createHash } from 'node:crypto'
import { decodeToken, encodeToken } from '@icosa/kernel'
import type { Answer, BodyKind, Call } from './call.ts'
import { failed, holds } from './conditions.ts'
import { mementoHeaders, readAsOf } from './time.ts'

const pageSize = 100

/** One list of the data plane: where it is, what its items look like, and how they are read. */
export interface Listing<Row> {
  readonly path: string
  readonly kind: BodyKind
  readonly shown: (row: Row) => object
  /** What pages go on from. */
  readonly keysOf: (row: Row) => readonly unknown[]
  /** What tells one state of the row from another. */
  readonly etagOf: (row: Row) => string
  readonly read: (window: Window) => Promise<Row[]>
}

/** A part of a list: behind these keys, at most so many, as of that time. */
export interface Window {
  readonly after: readonly unknown[] | undefined
  readonly limit: number
  readonly asOf: Date | undefined
}

/**
 * A page of a list, with links to the next one in a header and in the body, since clients look in either place. The
 * time of which the first page told goes with the link: some clients do not repeat it.
 */
export async function answerPage<Row>(call: Call, listing: Listing<Row>): Promise<Answer> {
  const { query, headers, store } = call
  const { path, kind, shown, keysOf, etagOf, read } = listing
  const list = [
    store.id,
    path,
    ...['key', 'label', 'name', 'status', 'snapshot'].map((name) => query.one(name) ?? null),
    query.all('tags'),
  ]
  const token = query.one('after')
  const [time, ...keys] = token === undefined ? [] : decodeToken(token, list, 'query/after')
  const asOf = typeof time === 'string' ? new Date(time) : readAsOf(headers)
  const rows = await read({ after: token === undefined ? undefined : keys, limit: pageSize + 1, asOf })
  const items = rows.slice(0, pageSize)
  const last = items.at(-1)
  const more = rows.length > pageSize && last !== undefined
  const next = more
    ? nextLink(call, path, encodeToken([asOf?.toISOString() ?? null, ...keysOf(last)], list))
    : undefined

  const etag = createHash('sha256')
    .update(JSON.stringify([items.map(etagOf), more]))
    .digest('base64url')
  const all = { etag: `"${etag}"`, ...mementoHeaders(asOf), ...linksOf(next, asOf && path) }
  const state = holds(headers, etag)
  if (state === 'mismatch') failed()
  if (state === 'unchanged') return { status: 304, headers: all }
  return {
    status: 200,
    headers: all,
    kind,
    body: { items: items.map(shown), etag, ...(next && { '@nextLink': next }) },
  }
}

/** Relative to the store's address, as clients expect; `after` comes last, since some read it only there. */
function nextLink({ query }: Call, path: string, token: string): string {
  const parameters = query.without('after', 'api-version')
  const version = encodeURIComponent(query.one('api-version') ?? '')
  const rest = parameters.size > 0 ? `&${parameters}` : ''
  return `${path}?api-version=${version}${rest}&after=${encodeURIComponent(token)}`
}

function linksOf(next: string | undefined, original: string | undefined): Readonly<Record<string, string>> {
  const links = [next && `<${next}>; rel="next"`, original && `<${original}>; rel="original"`]
  const given = links.filter((link) => link !== undefined)
  return given.length > 0 ? { link: given.join(', ') } : {}
}
