import { created, demandConditions, Failure, implement, isUnchanged, notModified, ok } from '@icosa/kernel'
import { storeOf } from '../data-plane/authentication/authenticate.ts'
import { newEtag, quoted } from '../data-plane/etag.ts'
import { parseFilter } from '../data-plane/lists/filters.ts'
import { readPageOf } from '../data-plane/lists/pages.ts'
import { selecting } from '../data-plane/lists/select.ts'
import { snapshots as contract, operations as operationContract, Snapshot } from './contract.ts'
import { takeSnapshot } from './jobs.ts'
import { snapshotNotFound } from './not-found.ts'
import { checkedName, readSnapshot } from './read.ts'
import type { Row } from './store.ts'
import * as store from './store.ts'

export const snapshots = implement(contract, {
  async get({ params, query, headers }, context) {
    const name = checkedName(params)
    const select = selecting(Snapshot, query.$select)
    const row = (await store.find(context.db, storeOf(context), name)) ?? snapshotNotFound(name)
    const replyHeaders = headersOf(row, query)
    return isUnchanged(headers, replyHeaders.etag)
      ? notModified(replyHeaders)
      : ok(select(toSnapshot(row)), { headers: replyHeaders })
  },

  async list(input, context) {
    const { query } = input
    const filters = {
      name: parseFilter('name', query.name || undefined),
      status: parseFilter('status', query.status || undefined),
    }
    const select = selecting(Snapshot, query.$select)
    return readPageOf<store.Row, Snapshot>(input, context, {
      path: '/snapshots',
      toItem: (row) => select(toSnapshot(row)),
      keysOf: ({ name }) => [name],
      etagOf: ({ etag }) => etag,
      read: (window) => store.list(context.db, storeOf(context), filters, window),
    })
  },

  async create({ params, query, headers, body }, context) {
    const { db, clock, jobs } = context
    const owner = storeOf(context)
    const name = checkedName(params)
    const requested = readSnapshot(owner, name, body)
    if (headers['if-match'] !== undefined) {
      const current = await store.find(db, owner, name)
      demandConditions(headers, current && quoted(current.etag))
    }
    const row = (await store.insert(db, owner, requested, newEtag(), clock.now())) ?? alreadyExists(name)
    await jobs.enqueue(takeSnapshot, { tenant: owner.tenant, id: owner.id, name })
    return { ...created(toSnapshot(row), { ...headersOf(row, query), ...retryAfter }), operation: { id: name } }
  },

  async update({ params, query, headers, body: { status } }, context) {
    const { db, clock } = context
    const owner = storeOf(context)
    const name = checkedName(params)
    const before = (await store.lock(db, owner, name)) ?? snapshotNotFound(name)
    demandConditions(headers, quoted(before.etag))
    if (before.status === status) return ok(toSnapshot(before), { headers: headersOf(before, query) })
    if (before.status === 'provisioning' || before.status === 'failed')
      throw new Failure('conflict', `The snapshot is ${before.status}: only a snapshot that is ready can be archived.`)
    const modifiedAt = clock.now()
    const expiresAt = status === 'archived' ? new Date(modifiedAt.getTime() + before.retentionSeconds * 1000) : null
    const row = await store.setStatus(db, owner, name, { status, etag: newEtag(), modifiedAt, expiresAt })
    return ok(toSnapshot(row), { headers: headersOf(row, query) })
  },
})

/** Without it, some clients poll slowly. */
const retryAfter = { 'retry-after': '1' }

const progress = { provisioning: 'Running', ready: 'Succeeded', archived: 'Succeeded', failed: 'Failed' } as const

export const operations = implement(operationContract, {
  async get({ query: { snapshot: name } }, context) {
    const { status } = (await store.find(context.db, storeOf(context), name)) ?? snapshotNotFound(name)
    const error = status === 'failed' ? { code: 'SnapshotFailed', message: 'The snapshot could not be taken.' } : null
    return ok({ id: name, status: progress[status], error }, status === 'provisioning' ? { headers: retryAfter } : {})
  },
})

function alreadyExists(name: string): never {
  throw new Failure('alreadyExists', `A snapshot '${name}' already exists: choose another name.`)
}

const headersOf = ({ name, etag, modifiedAt }: store.Row, query: { readonly 'api-version': string }) => ({
  etag: quoted(etag),
  'last-modified': modifiedAt.toUTCString(),
  link: `</kv?snapshot=${encodeURIComponent(name)}&api-version=${query['api-version']}>; rel="items"`,
})

function toSnapshot(row: Row): Snapshot {
  return {
    etag: row.etag,
    name: row.name,
    status: row.status,
    filters: row.filters.map(({ tags, ...filter }) => ({
      ...filter,
      ...(tags !== undefined && { tags: tags && [...tags] }),
    })),
    composition_type: row.compositionType,
    created: row.createdAt.toISOString(),
    ...(row.expiresAt && { expires: row.expiresAt.toISOString() }),
    retention_period: row.retentionSeconds,
    size: Number(row.size),
    items_count: row.itemsCount,
    tags: { ...row.tags },
  }
}
