/** Identifies an execution to receivers: all its attempts have the same ID. */
export interface Execution {
  readonly tenant: string
  readonly id: string
  readonly expectedAt: Date
}

export const executionHeaders = ({ id, expectedAt }: Execution) => ({
  'Icosa-Execution-Id': id,
  'Icosa-Expected-Time': expectedAt.toISOString(),
})
