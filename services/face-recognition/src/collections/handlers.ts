import { type Context, type Handlers, implement, ok, type ReadingContext, type Resource } from '@icosa/kernel'
import * as faces from '../persisted-faces/store.ts'
import { toFace } from '../persisted-faces/view.ts'
import { begun, done } from '../shapes/replies.ts'
import { requestTraining } from '../training/request.ts'
import { listContract, trainedContract } from './contract.ts'
import { entryOf, registryId } from './entry.ts'
import { collectionExists, collectionNotFound, noTraining, tooMany } from './failures.ts'
import { clearAway } from './jobs.ts'
import type { Kind } from './names.ts'
import * as store from './store.ts'
import { toCollection, toTrainingStatus } from './view.ts'

type Params = Readonly<Record<string, string>>

/** Lists are not paged, so all of them must fit in one response. */
const maxLists = 1_000

export const idOf = ({ param }: Kind, params: Params): string => params[param] as string

export async function findCollection(
  { db, caller }: Pick<ReadingContext, 'db' | 'caller'>,
  kind: Kind,
  params: Params,
) {
  const id = idOf(kind, params)
  return (await store.find(db, caller.tenant, kind, id)) ?? collectionNotFound(kind, id)
}

/** Prevents its deletion while something is added. */
export async function lockCollection({ db, caller }: Pick<Context, 'db' | 'caller'>, kind: Kind, params: Params) {
  const id = idOf(kind, params)
  return (await store.lock(db, caller.tenant, kind, id)) ?? collectionNotFound(kind, id)
}

type Basics = Pick<ReturnType<typeof trainedContract>, 'create' | 'update' | 'delete'>

/** Operations that all four kinds share. */
const basics = (kind: Kind, isUnpaged = false): Handlers<Basics> => ({
  async create({ params, body }, { db, caller, clock, resources }) {
    const id = idOf(kind, params)
    const { recognitionModel = 'recognition_01', ...fields } = body
    if (isUnpaged && (await store.list(db, caller.tenant, kind, '', maxLists)).length === maxLists)
      tooMany(`${kind.noun}s`, maxLists)
    const isNew = await store.insert(db, caller.tenant, kind, { id, recognitionModel, ...fields }, clock.now())
    if (!isNew) collectionExists(kind, id)
    await resources.put(entryOf(kind, { id, name: body.name }))
    return done()
  },

  async update({ params, body }, { db, caller, resources }) {
    const id = idOf(kind, params)
    if (!(await store.update(db, caller.tenant, kind, id, body))) collectionNotFound(kind, id)
    if (body.name !== undefined) await resources.put(entryOf(kind, { id, name: body.name }))
    return done()
  },

  async delete({ params }, { db, caller, jobs, resources }) {
    const id = idOf(kind, params)
    const uid = (await store.remove(db, caller.tenant, kind, id)) ?? collectionNotFound(kind, id)
    await jobs.enqueue(clearAway, { uid })
    await resources.remove(registryId(kind, id))
    return done()
  },
})

/** Groups, and large lists. */
export function trained(kind: Kind): Resource {
  return implement(trainedContract(kind), {
    ...basics(kind),

    async get({ params, query }, context) {
      return ok(toCollection(kind, await findCollection(context, kind, params), query.returnRecognitionModel))
    },

    async list({ query }, { db, caller }) {
      const rows = await store.list(db, caller.tenant, kind, query.start ?? '', query.top)
      return ok(rows.map((row) => toCollection(kind, row, query.returnRecognitionModel)))
    },

    async train({ params }, context) {
      const { uid } = await lockCollection(context, kind, params)
      await requestTraining(context, uid)
      return begun()
    },

    async getTrainingStatus({ params }, context) {
      return ok(toTrainingStatus(await findCollection(context, kind, params)) ?? noTraining(kind, idOf(kind, params)))
    },
  })
}

/** Lists that need no training. */
export function untrained(kind: Kind): Resource {
  return implement(listContract(kind), {
    ...basics(kind, true),

    async get({ params, query }, context) {
      const collection = await findCollection(context, kind, params)
      const { db, caller } = context
      const rows = await faces.list(db, caller.tenant, collection.uid, undefined, kind.maxItems as number)
      return ok({ ...toCollection(kind, collection, query.returnRecognitionModel), persistedFaces: rows.map(toFace) })
    },

    async list({ query }, { db, caller }) {
      const rows = await store.list(db, caller.tenant, kind, '', maxLists)
      return ok(rows.map((row) => toCollection(kind, row, query.returnRecognitionModel)))
    },
  })
}
