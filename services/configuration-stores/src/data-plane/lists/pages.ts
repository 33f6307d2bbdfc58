import { createHash } from 'node:crypto'
import type { ReplyWith } from '@icosa/contract'
import {
  type Conditions,
  decodeToken,
  encodeToken,
  isUnchanged,
  notModified,
  ok,
  type ReadingContext,
} from '@icosa/kernel'
import { storeOf } from '../authentication/authenticate.ts'
import { quoted } from '../etag.ts'
import { mementoHeaders, readAsOf } from '../time.ts'

const pageSize = 100

/** Input of all lists, each of which uses a part of it. */
export interface ListInput {
  readonly query: {
    readonly key?: string
    readonly label?: string
    readonly name?: string
    readonly status?: string
    readonly snapshot?: string
    readonly tags?: readonly string[]
    readonly after?: string
  }
  readonly headers: Conditions & { readonly 'accept-datetime'?: string }
}

/** A list of the data plane. */
export interface Listing<Row, Item> {
  readonly path: string
  readonly toItem: (row: Row) => Item
  /** Pagination key. */
  readonly keysOf: (row: Row) => readonly unknown[]
  /** Unique for every state of a row. */
  readonly etagOf: (row: Row) => string
  readonly read: (window: Window) => Promise<Row[]>
}

/** A part of a list: up to `limit` rows after these keys, as of a time. */
export interface Window {
  readonly after: readonly unknown[] | undefined
  readonly limit: number
  readonly asOf: Date | undefined
}

export interface PageBody<Item> {
  items: Item[]
  etag: string
}

/** Reads a page of a list. The time of the first page is part of the link: some clients do not repeat it. */
export async function readPageOf<Row, Item>(
  { query, headers }: ListInput,
  context: ReadingContext,
  { path, toItem, keysOf, etagOf, read }: Listing<Row, Item>,
): Promise<ReplyWith<200, PageBody<Item>> | ReplyWith<304, undefined>> {
  const { key, label, name, status, snapshot, tags = [], after: token } = query
  const filters = [key, label, name, status, snapshot].map((filter) => filter ?? null)
  const list = [storeOf(context).id, path, ...filters, tags]
  const [time, ...keys] = token === undefined ? [] : decodeToken(token, list, 'query/after')
  const asOf = typeof time === 'string' ? new Date(time) : readAsOf(headers)
  const rows = await read({ after: token === undefined ? undefined : keys, limit: pageSize + 1, asOf })
  const items = rows.slice(0, pageSize)
  const last = items.at(-1)
  const hasMore = rows.length > pageSize && last !== undefined
  const next = hasMore ? encodeToken([asOf?.toISOString() ?? null, ...keysOf(last)], list) : undefined

  const etag = createHash('sha256')
    .update(JSON.stringify([items.map(etagOf), hasMore]))
    .digest('base64url')
  const replyHeaders = { etag: quoted(etag), ...(asOf && mementoHeaders(asOf, path)) }
  if (isUnchanged(headers, replyHeaders.etag)) return { ...notModified(replyHeaders), next }
  return ok({ items: items.map(toItem), etag }, { headers: replyHeaders, next })
}
