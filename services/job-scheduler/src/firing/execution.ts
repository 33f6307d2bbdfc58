import { randomUUID } from 'node:crypto'
import type { ActionName } from '../history/store.ts'

/** A due attempt. Outdated if its execution has moved on. */
export interface Due {
  readonly tenant: string
  readonly jobId: string
  readonly id: string
  readonly action: ActionName
  readonly attempt: number
}

/** The same for any node and any number of attempts. */
export const scheduledId = (jobId: string, at: Date) => `${jobId}-${at.toISOString().replace(/[-:.]/g, '')}`

export const manualId = (jobId: string) => `${jobId}-run-${randomUUID()}`
