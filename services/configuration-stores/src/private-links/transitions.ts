import { Failure } from '@icosa/kernel'
import type { ConnectionStatus } from './contract.ts'

/** Where a connection can go. One that is disconnected stays so: the endpoint must be made anew. */
const transitions: Readonly<Record<ConnectionStatus, readonly ConnectionStatus[]>> = {
  Pending: ['Approved', 'Rejected'],
  Approved: ['Rejected', 'Disconnected'],
  Rejected: ['Disconnected'],
  Disconnected: [],
}

/** The status that a connection gets; a new one is pending until somebody decides, or arrives decided. */
export function nextStatus(
  before: ConnectionStatus | undefined,
  requested: ConnectionStatus | undefined,
): ConnectionStatus {
  const from = before ?? 'Pending'
  if (requested === undefined || requested === from || transitions[from].includes(requested)) return requested ?? from
  const ways = transitions[from].join(' or ') || 'nothing else'
  throw new Failure('conflict', `A connection that is ${from} can become ${ways}, not ${requested}.`, {
    code: 'InvalidConnectionState',
  })
}
