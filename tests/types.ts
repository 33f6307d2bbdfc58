// Checked by tsc, never run: each line under an @ts-expect-error must not compile.
import { client } from '@icosa/client'
import { Type } from '@icosa/contract'
import { keyed } from '@icosa/dialects/keyed'
import { type Handlers, implement, job, noContent, ok } from '@icosa/kernel'

const { get, put } = keyed('X-Key')
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

// @ts-expect-error a handler of no operation
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

const measure = job<{ planId: string }>('measure', { run: async () => {} })

export const enqueues: Handlers<typeof contract>['put'] = async ({ params }, { jobs, operations }) => {
  await jobs.enqueue(measure, { planId: params.planId })
  // @ts-expect-error an input that the job does not take
  await jobs.enqueue(measure, { plan: params.planId })
  // @ts-expect-error an input that the operation's job does not take
  await operations.start(measure, {})
  return noContent()
}

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
