import { accepted, type Context, created, Failure, implement, ok, type ReadingContext } from '@icosa/kernel'
import * as jobs from '../jobs/store.ts'
import type { CollectionAddress } from './address.ts'
import { changed, choicesFor } from './choices.ts'
import { collections as contract } from './contract.ts'
import { enableJobs, removeJobs } from './jobs.ts'
import * as store from './store.ts'
import { collectionId, entryOf, toJobCollection } from './view.ts'

/** Maximum number of jobs that are enabled or disabled within the request. */
const maxInRequest = 1_000

async function list(scope: Parameters<typeof store.list>[2], token: string | undefined, context: ReadingContext) {
  const { items, next } = await store.list(context.db, context.caller.tenant, scope, token)
  return ok({ value: items.map(toJobCollection) }, { next })
}

/** Updates the jobs of a large collection in the background. */
async function apply(row: store.Row, choices: store.Choices, context: Context): Promise<store.Row> {
  const { db, clock } = context
  const after = await store.change(db, row, choices, clock.now())
  await context.resources.put(entryOf(after))
  if (isEnabled(after) !== isEnabled(row) && !(await updateJobs(after, context)))
    await context.jobs.enqueue(enableJobs, { tenant: row.tenant, id: row.id }, { key: row.id })
  return after
}

const isEnabled = ({ state }: store.Row) => state === 'Enabled'

/** Returns false if there are too many jobs to update within the request. */
async function updateJobs(row: store.Row, { db, clock }: Context): Promise<boolean> {
  if (row.jobCount > maxInRequest) return false
  await jobs.setCollectionEnabled(db, row, isEnabled(row), clock.now(), maxInRequest)
  return true
}

async function setState(address: CollectionAddress, state: store.CollectionState, context: Context) {
  const { db, caller, clock, operations } = context
  const row = (await store.lock(db, caller.tenant, address)) ?? missing(address)
  const after = await store.change(db, row, { ...row, state }, clock.now())
  if (await updateJobs(after, context)) return { status: 200 as const, body: undefined }
  const owner = { tenant: row.tenant, id: row.id }
  return accepted(undefined, await operations.start(enableJobs, owner, { resource: collectionId(row) }))
}

export const collections = implement(contract, {
  listBySubscription: ({ params, query }, context) => list(params, query.$skipToken, context),
  listByResourceGroup: ({ params, query }, context) => list(params, query.$skipToken, context),

  async get({ params }, { db, caller }) {
    return ok(toJobCollection((await store.find(db, caller.tenant, params)) ?? missing(params)))
  },

  async createOrUpdate({ params, body }, context) {
    const { db, caller, clock } = context
    const row = await store.insert(db, caller.tenant, params, choicesFor(body, undefined), clock.now())
    if (row) {
      await context.resources.put(entryOf(row))
      return created(toJobCollection(row))
    }
    const old = (await store.lock(db, caller.tenant, params)) ?? missing(params)
    return ok(toJobCollection(await apply(old, choicesFor(body, old), context)))
  },

  async patch({ params, body }, context) {
    const { db, caller } = context
    const row = (await store.lock(db, caller.tenant, params)) ?? missing(params)
    return ok(toJobCollection(await apply(row, changed(row, body), context)))
  },

  enable: ({ params }, context) => setState(params, 'Enabled', context),
  disable: ({ params }, context) => setState(params, 'Disabled', context),

  async delete({ params }, { db, caller, operations, resources }) {
    const row = (await store.lock(db, caller.tenant, params)) ?? missing(params)
    await store.remove(db, row)
    await resources.remove(collectionId(row))
    if (row.jobCount === 0) return { status: 200 as const, body: undefined }
    const owner = { tenant: row.tenant, id: row.id }
    return accepted(undefined, await operations.start(removeJobs, owner, { resource: collectionId(row) }))
  },
})

export function missing({ jobCollectionName }: Pick<CollectionAddress, 'jobCollectionName'>): never {
  throw new Failure('notFound', `The job collection '${jobCollectionName}' was not found: create it with PUT.`)
}
