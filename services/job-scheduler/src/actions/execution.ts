/** By which a receiver knows a repeated attempt at an execution from another execution. */
export interface Execution {
  readonly tenant: string
  readonly id: string
  readonly expectedAt: Date
}

export const executionHeaders = ({ id, expectedAt }: Execution) => ({
  'Icosa-Execution-Id': id,
  'Icosa-Expected-Time': expectedAt.toISOString(),
})
