import { randomUUID } from 'node:crypto'
import { accepted, Failure, implement, ok, type ReadingContext } from '@icosa/kernel'
import { collectionExists, collectionNotFound } from '../collections/failures.ts'
import * as collections from '../collections/store.ts'
import { done } from '../shapes/replies.ts'
import { accountOf } from './account.ts'
import { snapshots as contract, type Snapshot } from './contract.ts'
import { apply, kindNamed, removeContent, take } from './jobs.ts'
import * as store from './store.ts'

const keepMs = 48 * 3_600_000

const requesterIn = ({ caller: { tenant }, clock }: Pick<ReadingContext, 'caller' | 'clock'>): store.Requester => ({
  tenant,
  account: accountOf(tenant),
  now: clock.now(),
})

function snapshotNotFound(id: string): never {
  throw new Failure('notFound', `The snapshot '${id}' was not found among those that you took or may apply.`, {
    code: 'SnapshotNotFound',
  })
}

const toSnapshot = ({ tenant, id, type, applyScope, userData, createdAt, updatedAt }: store.SnapshotRow): Snapshot => ({
  id,
  account: accountOf(tenant),
  type,
  applyScope,
  ...(userData !== null && { userData }),
  createdTime: createdAt.toISOString(),
  lastUpdateTime: updatedAt.toISOString(),
})

export const snapshots = implement(contract, {
  async take({ body }, { db, caller, clock, operations }) {
    const { type, objectId, applyScope, userData = null } = body
    const kind = kindNamed(type)
    if (!(await collections.find(db, caller.tenant, kind, objectId))) collectionNotFound(kind, objectId)
    const id = randomUUID()
    const now = clock.now()
    const expiresAt = new Date(now.getTime() + keepMs)
    await store.insert(db, caller.tenant, { id, type, applyScope, userData, now, expiresAt })
    const operation = await operations.start(take, { snapshotId: id, type, objectId }, { resource: `/snapshots/${id}` })
    return accepted(undefined, operation)
  },

  async list({ query }, context) {
    const filter = { type: query.type, applyScope: query.applyScope?.split(',') }
    return ok((await store.list(context.db, requesterIn(context), filter)).map(toSnapshot))
  },

  async get({ params: { snapshotId } }, context) {
    return ok(
      toSnapshot((await store.find(context.db, requesterIn(context), snapshotId)) ?? snapshotNotFound(snapshotId)),
    )
  },

  async update({ params: { snapshotId }, body }, context) {
    const exists = await store.update(context.db, requesterIn(context), snapshotId, body)
    return exists ? done() : snapshotNotFound(snapshotId)
  },

  async delete({ params: { snapshotId } }, { db, caller, jobs }) {
    const { tenant } = caller
    if (!(await store.remove(db, tenant, snapshotId))) snapshotNotFound(snapshotId)
    await jobs.enqueue(removeContent, { tenant, snapshotId })
    return done()
  },

  async apply({ params: { snapshotId }, body: { objectId } }, context) {
    const { db, caller, operations } = context
    const requester = requesterIn(context)
    const {
      tenant: source,
      type,
      applyScope,
    } = (await store.find(db, requester, snapshotId)) ?? snapshotNotFound(snapshotId)
    if (!applyScope.includes(requester.account))
      throw new Failure(
        'forbidden',
        `Your account ${requester.account} is not in the applyScope of the snapshot: add it first.`,
      )
    const kind = kindNamed(type)
    if (await collections.find(db, caller.tenant, kind, objectId)) collectionExists(kind, objectId)
    const input = { tenant: caller.tenant, snapshotId, source, type, objectId, uid: randomUUID() }
    const operation = await operations.start(apply, input, { resource: `/${kind.path}/${objectId}` })
    return accepted(undefined, operation)
  },
})
