import { Failure } from '@icosa/kernel'
import type { ConnectionStatus } from './contract.ts'

/** Disconnected is final: the connection must be created again. */
const transitions: Readonly<Record<ConnectionStatus, readonly ConnectionStatus[]>> = {
  Pending: ['Approved', 'Rejected'],
  Approved: ['Rejected', 'Disconnected'],
  Rejected: ['Disconnected'],
  Disconnected: [],
}

/** Returns the new status of a connection. A new one is pending, unless it is created with a decision. */
export function nextStatus(
  before: ConnectionStatus | undefined,
  requested: ConnectionStatus | undefined,
): ConnectionStatus {
  const from = before ?? 'Pending'
  if (requested === undefined || requested === from || transitions[from].includes(requested)) return requested ?? from
  const targets = transitions[from].join(' or ') || 'nothing else'
  throw new Failure('conflict', `A connection that is ${from} can become ${targets}, not ${requested}.`, {
    code: 'InvalidConnectionState',
  })
}
