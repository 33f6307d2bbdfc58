/** An access to data, for the log of its tenant: reads, which are not logged otherwise, and requests outside the operations. */
export interface AccessEntry {
  readonly tenant: string
  /** Credential ID, or empty. */
  readonly caller: string
  readonly address: string
  readonly service: string
  readonly operation: string
  readonly resource: string
  readonly status: number
  readonly requestId: string
}

/** Must return immediately and never throw. */
export type AccessLog = (entry: AccessEntry) => void
