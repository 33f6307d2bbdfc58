import type { Static } from '@icosa/contract'
import type { OperationState } from '@icosa/kernel'
import { canonicalOf, numberOf } from './codes.ts'
import type { Operation } from './contract.ts'
import { types } from './names.ts'

export interface OperationParts {
  /** `projects/mine/locations/here/operations/7`. */
  readonly name: string
  readonly metadata: Readonly<Record<string, unknown>>
  /** Type name of the result, by which clients find their class. */
  readonly responseType: string
}

/** State of a long-running operation. */
export type Progress = Pick<OperationState, 'status' | 'result' | 'error' | 'createdAt' | 'updatedAt'>

const isOver = ({ status }: Progress) => status !== 'pending' && status !== 'running'

/** This family's representation: done or not, and then either a response or an error. */
export function toOperation(
  state: Progress,
  { name, metadata, responseType }: OperationParts,
): Static<typeof Operation> {
  const times = {
    createTime: state.createdAt.toISOString(),
    ...(isOver(state) && { endTime: state.updatedAt.toISOString() }),
  }
  return { name, metadata: { ...metadata, ...times }, done: isOver(state), ...outcome(state, responseType) }
}

function outcome({ status, result, error }: Progress, responseType: string) {
  switch (status) {
    case 'succeeded':
      return { response: result === null ? { '@type': types.empty } : { '@type': responseType, ...Object(result) } }
    case 'failed':
      return { error: statusOf(numberOf(canonicalOf(error?.kind ?? 'internal')), error?.message ?? '') }
    case 'cancelled':
      return { error: statusOf(numberOf('CANCELLED'), 'The operation was cancelled by a later one.') }
    default:
      return {}
  }
}

const statusOf = (code: number, message: string) => ({ code, message, details: [] })
