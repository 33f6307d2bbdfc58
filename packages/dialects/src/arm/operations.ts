import type { Schema } from '@icosa/contract'
import { Failure, implement, noContent, notFound, type OperationState, ok, type Resource } from '@icosa/kernel'
import { type Arm, operationRoutes } from './contract.ts'
import { retryAfter } from './polling.ts'

const statusNames: Readonly<Record<OperationState['status'], string>> = {
  pending: 'InProgress',
  running: 'InProgress',
  succeeded: 'Succeeded',
  failed: 'Failed',
  cancelled: 'Canceled',
}

const isPending = ({ status }: OperationState) => status === 'pending' || status === 'running'

/** Operation status routes of a service, with the schema of its operations' results. */
export function statuses(api: Arm<string>, result?: Schema): Resource {
  // Any literal will do for the types of path parameters.
  return implement(operationRoutes(api as Arm<'Vendor.Area'>, result), {
    async get({ params }, { operations }) {
      const state = (await operations.find(params.operationId)) ?? notFound('operation', params.operationId)
      const { subscriptionId, location, operationId } = params
      const body = {
        id: `/subscriptions/${subscriptionId}/providers/${api.namespace}/locations/${location}/operationStatuses/${operationId}`,
        name: operationId,
        status: statusNames[state.status],
        startTime: state.createdAt.toISOString(),
        ...(!isPending(state) && { endTime: state.updatedAt.toISOString() }),
        ...(state.progress !== null && { percentComplete: state.progress * 100 }),
        ...(state.error && { error: { code: codeOf(state.error), message: state.error.message } }),
      }
      return ok(body, isPending(state) ? { headers: retryAfter } : {})
    },

    async result({ params }, { operations }) {
      const state = (await operations.find(params.operationId)) ?? notFound('operation', params.operationId)
      if (isPending(state))
        return { status: 202 as const, body: undefined, headers: retryAfter, operation: { id: state.id } }
      if (state.status === 'cancelled')
        throw new Failure('conflict', 'The operation was canceled: start it again if you still need it.', {
          code: 'OperationCanceled',
        })
      if (state.error) throw new Failure(state.error.kind, state.error.message, { code: codeOf(state.error) })
      return state.result === null ? noContent() : ok(state.result)
    },
  })
}

const codeOf = ({ code = 'OperationFailed' }: NonNullable<OperationState['error']>) => code
