import { Failure, jobsIn } from '@icosa/kernel'
import { type Answer, type Call, jsonReader } from '../data-plane/call.ts'
import { demandConditions, failed, holds } from '../data-plane/conditions.ts'
import { parseFilter } from '../data-plane/filters.ts'
import { answerPage } from '../data-plane/pages.ts'
import { readSelect } from '../data-plane/query.ts'
import { serviceName } from '../names.ts'
import { newEtag, takeSnapshot } from './jobs.ts'
import { fields, readName, readSnapshot, SnapshotChange, SnapshotInput, shown } from './shown.ts'
import * as store from './store.ts'

export function absent(name: string): never {
  throw new Failure('notFound', `There is no snapshot '${name}'.`)
}

export async function getSnapshot(call: Call): Promise<Answer> {
  const name = readName(call)
  const select = readSelect(call.query, fields)
  const row = (await store.find(call.platform.database, call.store, name)) ?? absent(name)
  const state = holds(call.headers, row.etag)
  if (state === 'mismatch') failed()
  if (state === 'unchanged') return { status: 304, headers: headersOf(call, row) }
  return { status: 200, headers: headersOf(call, row), kind: 'snapshot', body: select(shown(row)) }
}

export async function listSnapshots(call: Call): Promise<Answer> {
  const { query, platform } = call
  const filters = {
    name: parseFilter('name', query.one('name') || undefined),
    status: parseFilter('status', query.one('status') || undefined),
  }
  const select = readSelect(query, fields)
  return answerPage<store.Row>(call, {
    path: '/snapshots',
    kind: 'snapshotset',
    shown: (row) => select(shown(row)),
    keysOf: ({ name }) => [name],
    etagOf: ({ etag }) => etag,
    read: (window) => store.list(platform.database, call.store, filters, window),
  })
}

const readNew = jsonReader(SnapshotInput)

export async function createSnapshot(call: Call): Promise<Answer> {
  const { platform, store: owner, headers } = call
  const name = readName(call)
  const wanted = readSnapshot(call, name, readNew(call))
  const { row, touched } = await platform.database.transaction(async (db) => {
    if (headers['if-match'] !== undefined) demandConditions(headers, (await store.find(db, owner, name))?.etag)
    const row = (await store.insert(db, owner, wanted, newEtag(), platform.clock.now())) ?? exists(name)
    const jobs = jobsIn(platform.queue, db, serviceName, owner.tenant)
    await jobs.enqueue(takeSnapshot, { tenant: owner.tenant, id: owner.id, name })
    return { row, touched: jobs.touched }
  })
  platform.queue.wake(touched)
  const query = `snapshot=${encodeURIComponent(name)}&api-version=${versionOf(call)}`
  const all = {
    ...headersOf(call, row),
    ...retryAfter,
    'operation-location': new URL(`../operations?${query}`, call.address()).href,
  }
  return { status: 201, headers: all, kind: 'snapshot', body: shown(row) }
}

const readChange = jsonReader(SnapshotChange)

/** Archives a snapshot, which then expires, or takes it back. */
export async function updateSnapshot(call: Call): Promise<Answer> {
  const { platform, store: owner } = call
  const name = readName(call)
  const { status } = readChange(call)
  const row = await platform.database.transaction(async (db) => {
    const before = (await store.lock(db, owner, name)) ?? absent(name)
    demandConditions(call.headers, before.etag)
    if (before.status === status) return before
    if (before.status === 'provisioning' || before.status === 'failed')
      throw new Failure('conflict', `The snapshot is ${before.status}: only one that is ready can be archived.`)
    const modifiedAt = platform.clock.now()
    const expiresAt = status === 'archived' ? new Date(modifiedAt.getTime() + before.retentionSeconds * 1000) : null
    return store.setStatus(db, owner, name, { status, etag: newEtag(), modifiedAt, expiresAt })
  })
  return { status: 200, headers: headersOf(call, row), kind: 'snapshot', body: shown(row) }
}

/** Some clients would wait for long if they were not told. */
const retryAfter = { 'retry-after': '1' }

const progress = { provisioning: 'Running', ready: 'Succeeded', archived: 'Succeeded', failed: 'Failed' } as const

/** How the making of a snapshot is going. */
export async function getOperation(call: Call): Promise<Answer> {
  const name = call.query.one('snapshot') ?? ''
  const { status } = (await store.find(call.platform.database, call.store, name)) ?? absent(name)
  const error = status === 'failed' ? { code: 'SnapshotFailed', message: 'The snapshot could not be taken.' } : null
  const headers = status === 'provisioning' ? retryAfter : undefined
  return { status: 200, headers, kind: 'json', body: { id: name, status: progress[status], error } }
}

function exists(name: string): never {
  throw new Failure('alreadyExists', `There is a snapshot '${name}' already: choose another name.`)
}

const versionOf = ({ query }: Call) => encodeURIComponent(query.one('api-version') ?? '')

const headersOf = (call: Call, { name, etag, modifiedAt }: store.Row) => ({
  etag: `"${etag}"`,
  'last-modified': modifiedAt.toUTCString(),
  link: `</kv?snapshot=${encodeURIComponent(name)}&api-version=${versionOf(call)}>; rel="items"`,
})
