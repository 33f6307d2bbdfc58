// Type-checked by tsc, never run: each line below an @ts-expect-error must not compile.
import { client } from '@icosa/client'
import { oneOf, stream, Type } from '@icosa/contract'
import { arm } from '@icosa/dialects/arm'
import { keyed } from '@icosa/dialects/keyed'
import {
  type Db,
  type DialectServer,
  Engine,
  type Handlers,
  implement,
  job,
  noContent,
  ok,
  type ReadingDb,
  type Service,
  serviceWithRuntime,
  withPreparation,
} from '@icosa/kernel'

const { get, post, put } = keyed('X-Key')
const Plan = Type.Object({ id: Type.String(), size: Type.Integer() })
const contract = {
  get: get('/plans/{planId}', {
    summary: '',
    query: Type.Object({ depth: Type.Optional(Type.Integer()) }),
    replies: { 200: Plan },
  }),
  put: put('/plans/{planId}', { summary: '', body: Plan, replies: { 200: Plan, 204: null } }),
}
const store = async () => noContent()

implement(contract, { get: async ({ params }) => ok({ id: params.planId, size: 1 }), put: store })

// @ts-expect-error a forgotten handler
implement(contract, { put: store })

// @ts-expect-error a handler without an operation
implement(contract, { get: async () => ok({ id: '', size: 1 }), put: store, post: store })

// @ts-expect-error a status that the operation does not have
implement(contract, { get: async () => noContent(), put: store })

// @ts-expect-error a body of another type
implement(contract, { get: async () => ok({ id: '', size: 'big' }), put: store })

// @ts-expect-error a body with a property missing
implement(contract, { get: async () => ok({ id: '' }), put: store })

// @ts-expect-error a parameter that the path does not name
implement(contract, { get: async ({ params }) => ok({ id: params.planID, size: 1 }), put: store })

// @ts-expect-error a query parameter of another type
implement(contract, { get: async ({ query }) => ok({ id: query.depth?.trim() ?? '', size: 1 }), put: store })

// @ts-expect-error a reply that is no schema
get('/plans', { summary: '', replies: { 200: 'oops' } })

const narrowed = {
  put: put('/plans/{kind}/file', {
    summary: '',
    params: { kind: oneOf('small', 'large') },
    body: stream({ types: ['*/*'] }),
    replies: { 204: null },
  }),
}

implement(narrowed, {
  put: withPreparation(
    async ({ body }) => body.size,
    async () => noContent(),
  ),
})

// @ts-expect-error a value that the parameter's schema does not have
implement(narrowed, { put: async ({ params }) => (params.kind === 'huge' ? noContent() : noContent()) })

// @ts-expect-error a stream is not a value
implement(narrowed, { put: async ({ body }) => (body.length > 1 ? noContent() : noContent()) })

const measure = job<{ planId: string }>('measure', { run: async () => {} })

export const enqueues: Handlers<typeof contract>['put'] = async ({ params }, { jobs, operations }) => {
  await jobs.enqueue(measure, { planId: params.planId })
  // @ts-expect-error an input that the job does not take
  await jobs.enqueue(measure, { plan: params.planId })
  // @ts-expect-error an input that the operation's job does not take
  await operations.start(measure, {})
  return noContent()
}

declare const change: (db: Db, planId: string) => Promise<(typeof Plan)['~static']>
declare const find: (db: ReadingDb, planId: string) => Promise<(typeof Plan)['~static']>
const reading = {
  get: contract.get,
  search: post('/plans/search', { summary: '', reads: true, replies: { 200: Plan } }),
  put: contract.put,
}
implement(reading, {
  // @ts-expect-error a GET that writes
  get: async ({ params }, { db }) => ok(await change(db, params.planId)),
  // @ts-expect-error a POST that is declared read-only and writes
  search: async (_, { db }) => ok(await change(db, '')),
  put: async ({ params }, { db }) => ok(await change(db, params.planId)),
})
implement(reading, {
  get: async ({ params }, { db }) => ok(await find(db, params.planId)),
  // @ts-expect-error a read-only operation has no jobs
  search: async (_, { db, jobs }) => ok(await find(db, String(jobs))),
  put: withPreparation(
    // @ts-expect-error a write before the transaction
    async ({ params }, { db }) => change(db, params.planId),
    async (_, { db }, plan) => ok(await find(db, plan.id)),
  ),
})
const { get: getArm, put: putArm, inGroup } = arm('Icosa.Plans')
const managed = {
  get: getArm(inGroup('/plans/{planId}'), { summary: '', replies: { 200: Plan } }),
  put: putArm(inGroup('/plans/{planId}'), { summary: '', body: Plan, replies: { 200: Plan } }),
}
implement(managed, {
  // @ts-expect-error a GET that writes
  get: async ({ params }, { db }) => ok(await change(db, params.planId)),
  put: async ({ params }, { db }) => ok(await change(db, params.planId)),
})

export const tidy = job<{ planId: string }>('tidy', {
  async run({ planId }, { db, transaction }) {
    await find(db, planId)
    // @ts-expect-error a write that is not fenced
    await change(db, planId)
    await transaction((writing) => change(writing, planId))
    return (writing) => change(writing, planId)
  },
})

interface ServiceRuntime {
  readonly scale: { weigh(size: number): number }
}
const weighing = implement<typeof contract, ServiceRuntime>(contract, {
  get: async ({ params }, { runtime }) => ok({ id: params.planId, size: runtime.scale.weigh(1) }),
  put: withPreparation(
    async ({ body }, { runtime }) => runtime.scale.weigh(body.size),
    async ({ params }, { runtime }, size) => ok({ id: params.planId, size: runtime.scale.weigh(size) }),
  ),
})
const weigh = job<{ planId: string }, ServiceRuntime>('weigh', {
  run: async (_, { runtime }) => void runtime.scale.weigh(1),
})
const served = new Engine<ServiceRuntime>(async ({ runtime }) => void runtime.scale.weigh(1))
const start = (): ServiceRuntime => ({ scale: { weigh: (size) => size } })
const manifest: Pick<Service, 'name' | 'title' | 'moves'> = { name: '', title: '', moves: 'withRows' }
const dialect = {} as DialectServer

export const holding = serviceWithRuntime<ServiceRuntime>({
  ...manifest,
  start,
  apis: [{ dialect, resources: { weighing, plain: implement(contract, { get: served, put: store }) } }],
  jobs: [weigh, measure],
  observe:
    (_, { scale }) =>
    () =>
      void scale.weigh(1),
  routes:
    ({ runtime }) =>
    async () =>
      void runtime.scale.weigh(1),
})
export const enqueuesHolding: Handlers<typeof contract>['put'] = async ({ params }, { jobs }) => {
  await jobs.enqueue(weigh, { planId: params.planId })
  return noContent()
}

// @ts-expect-error handlers that require a runtime the service does not have
export const holdsNothing: Service = { ...manifest, apis: [{ dialect, resources: { weighing } }] }

// @ts-expect-error a job that requires a runtime the service does not have
export const worksWithNothing: Service = { ...manifest, apis: [{ dialect, resources: {} }], jobs: [weigh] }

serviceWithRuntime<ServiceRuntime>({
  ...manifest,
  // @ts-expect-error a start that returns something else
  start: () => ({ meter: 1 }),
  apis: [{ dialect, resources: { weighing } }],
})

// @ts-expect-error a service that does not say how its tenants move
export const forgetful: Service = { name: '', title: '', apis: [{ dialect, resources: {} }] }

// @ts-expect-error a missing start
serviceWithRuntime<ServiceRuntime>({ ...manifest, apis: [{ dialect, resources: { weighing } }] })

// @ts-expect-error handlers that require the runtime of another start
serviceWithRuntime({ ...manifest, start: () => ({ meter: 1 }), apis: [{ dialect, resources: { weighing } }] })

implement(contract, {
  // @ts-expect-error a handler that does not declare its runtime
  get: async ({ params }, { runtime }) => ok({ id: params.planId, size: runtime.scale.weigh(1) }),
  put: store,
})

const plans = client(contract, { baseUrl: '' })
plans.get({ params: { planId: 'a' } })

// @ts-expect-error a client without the path's parameters
plans.get({})

// @ts-expect-error a client's query of another type
plans.get({ params: { planId: 'a' }, query: { depth: 'deep' } })

// @ts-expect-error a client's body of another type
plans.put({ params: { planId: 'a' }, body: { id: 'a', size: 'big' } })

export const size: Promise<number | undefined> = plans
  .put({ params: { planId: 'a' }, body: { id: 'a', size: 1 } })
  .then((reply) => (reply.status === 200 ? reply.body.size : reply.body))
