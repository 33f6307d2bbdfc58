import type { IncomingMessage, ServerResponse } from 'node:http'

/** Injected fault: delays, refuses or breaks the requests of an operation, or the runs of a job. */
export interface Disturbance {
  request<T>(request: IncomingMessage, response: ServerResponse, work: () => Promise<T>): Promise<T>
  /** `lose` discards all further effects of the run; the job is claimed again, as if its worker had died. */
  job<T>(work: () => Promise<T>, lose: () => void): Promise<T>
}

/** Returns the fault injected into `backup:StartBackupJob` at this moment, if any. For development and tests. */
export type Around = (name: string) => Disturbance | undefined
