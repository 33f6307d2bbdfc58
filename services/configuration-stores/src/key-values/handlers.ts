import { Failure, implement, isUnchanged, noContent, notModified, ok } from '@icosa/kernel'
import { storeOf } from '../data-plane/authentication/authenticate.ts'
import { readPageOf } from '../data-plane/lists/pages.ts'
import { selecting } from '../data-plane/lists/select.ts'
import { mementoHeaders, readAsOf } from '../data-plane/time.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { listSnapshotItems } from '../snapshots/items.ts'
import { missing } from '../stores/handlers.ts'
import * as stores from '../stores/store.ts'
import { change, demandUnlocked, headersOf, okWith } from './change.ts'
import {
  keyValues as contract,
  KeyValue,
  type ManagedKeyValue,
  managedKeyValues as managedContract,
} from './contract.ts'
import { keyNotFound } from './not-found.ts'
import { readContent, readIdentity } from './read.ts'
import { readSelection } from './selection.ts'
import * as store from './store.ts'
import { toKeyValue } from './view.ts'

export const keyValues = implement(contract, {
  async get(input, context) {
    const { headers, query } = input
    const owner = storeOf(context)
    const identity = readIdentity(input)
    const select = selecting(KeyValue, query.$select)
    const asOf = readAsOf(headers)
    const revision = (await store.find(context.db, owner, identity, asOf)) ?? keyNotFound(identity)
    const replyHeaders = headersOf(revision)
    if (isUnchanged(headers, replyHeaders.etag)) return notModified(replyHeaders)
    const memento = asOf && mementoHeaders(asOf, `/kv/${encodeURIComponent(revision.key)}`)
    return ok(select(toKeyValue(revision)), { headers: { ...replyHeaders, ...memento } })
  },

  async list(input, context) {
    const { snapshot, $select } = input.query
    const select = selecting(KeyValue, $select)
    if (snapshot !== undefined) return listSnapshotItems(input, context, snapshot, select)
    const selection = readSelection(input)
    return readPageOf<store.Revision, KeyValue>(input, context, {
      path: '/kv',
      toItem: (row) => select(toKeyValue(row)),
      keysOf: ({ key, label }) => [key, label],
      etagOf: ({ etag }) => etag,
      read: (window) => store.list(context.db, storeOf(context), selection, window),
    })
  },

  async put(input, context) {
    const identity = readIdentity(input)
    const content = readContent(identity, input.body)
    const { after } = await change(context, input.headers, identity, (current) => {
      demandUnlocked(current)
      return { ...content, locked: false }
    })
    return okWith(after ?? keyNotFound(identity))
  },

  /** Returns the deleted key-value. */
  async delete(input, context) {
    const { before } = await change(context, input.headers, readIdentity(input), (current) => {
      demandUnlocked(current)
      return current ? 'delete' : 'leave'
    })
    return before ? okWith(before) : noContent()
  },
})

export const managedKeyValues = implement<typeof managedContract, ServiceRuntime>(managedContract, {
  async listKeyValue({ params, body }, { db, caller, runtime }) {
    const owner = (await stores.find(db, caller.tenant, params)) ?? missing(params)
    if (!owner.publicNetworkAccess) refusePublic()
    const label = body.label === '\0' ? '' : (body.label ?? '')
    const identity = { key: body.key, label }
    const key = stores.wrappedKeyOf(owner)
    const cipher = key && (await runtime.dataKeys.of({ ...owner, name: owner.configStoreName }, key))
    return ok(toManaged((await store.find(db, { ...owner, cipher }, identity)) ?? keyNotFound(identity)))
  },
})

/** The management API is public, so it must not expose stores without public access. */
function refusePublic(): never {
  throw new Failure(
    'forbidden',
    'The store is closed to the public network (publicNetworkAccess): read it at its endpoint.',
  )
}

function toManaged({ key, label, value, contentType, tags, locked, etag, changedAt }: store.Revision): ManagedKeyValue {
  return {
    key,
    ...(label !== '' && { label }),
    ...(value !== null && { value }),
    ...(contentType !== null && { contentType }),
    eTag: etag,
    lastModified: changedAt.toISOString(),
    locked,
    tags: { ...tags },
  }
}
