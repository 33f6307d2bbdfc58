import { randomUUID } from 'node:crypto'
import type { ActionName } from '../history/store.ts'

/** An attempt that is to be made: if the execution has gone on since, it is out of date. */
export interface Due {
  readonly tenant: string
  readonly jobId: string
  readonly id: string
  readonly action: ActionName
  readonly attempt: number
}

/** One job, one time, one id: whoever fires it, and however often it is sent. */
export const scheduledId = (jobId: string, at: Date) => `${jobId}-${at.toISOString().replace(/[-:.]/g, '')}`

export const manualId = (jobId: string) => `${jobId}-run-${randomUUID()}`
