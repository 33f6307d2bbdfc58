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

/** What lists are asked for by, each by some of it. */
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

/** One list of the data plane: where it is, what its items look like, and how they are read. */
export interface Listing<Row, Item> {
  readonly path: string
  readonly toItem: (row: Row) => Item
  /** What pages go on from. */
  readonly keysOf: (row: Row) => readonly unknown[]
  /** What distinguishes one state of the row from another. */
  readonly etagOf: (row: Row) => string
  readonly read: (window: Window) => Promise<Row[]>
}

/** A part of a list: behind these keys, at most so many, as of that time. */
export interface Window {
  readonly after: readonly unknown[] | undefined
  readonly limit: number
  readonly asOf: Date | undefined
}

export interface PageBody<Item> {
  items: Item[]
  etag: string
}

/** A page of a list. The time of the first page is part of the link: some clients do not repeat it. */
export async function readPageOf<Row, Item>(
  { query, headers }: ListInput,
  context: ReadingContext,
  { path, toItem, keysOf, etagOf, read }: Listing<Row, Item>,
): Promise<ReplyWith<200, PageBody<Item>> | ReplyWith<304, undefined>> {
  const { key, label, name, status, snapshot, tags = [], after: token } = query
  const chosen = [key, label, name, status, snapshot].map((one) => one ?? null)
  const list = [storeOf(context).id, path, ...chosen, tags]
  const [time, ...keys] = token === undefined ? [] : decodeToken(token, list, 'query/after')
  const asOf = typeof time === 'string' ? new Date(time) : readAsOf(headers)
  const rows = await read({ after: token === undefined ? undefined : keys, limit: pageSize + 1, asOf })
  const items = rows.slice(0, pageSize)
  const last = items.at(-1)
  const more = rows.length > pageSize && last !== undefined
  const next = more ? encodeToken([asOf?.toISOString() ?? null, ...keysOf(last)], list) : undefined

  const etag = createHash('sha256')
    .update(JSON.stringify([items.map(etagOf), more]))
    .digest('base64url')
  const all = { etag: quoted(etag), ...(asOf && mementoHeaders(asOf, path)) }
  if (isUnchanged(headers, all.etag)) return { ...notModified(all), next }
  return ok({ items: items.map(toItem), etag }, { headers: all, next })
}
