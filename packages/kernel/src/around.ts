import type { IncomingMessage, ServerResponse } from 'node:http'

/** What befalls the requests of an operation, or the runs of a job: it may delay, refuse or break them. */
export interface Disturbance {
  request<T>(request: IncomingMessage, response: ServerResponse, work: () => Promise<T>): Promise<T>
  /** `lose`: from then on nothing that the run does counts, and the job is claimed again, as if its worker had died. */
  job<T>(work: () => Promise<T>, lose: () => void): Promise<T>
}

/** What befalls `backup:StartBackupJob` now, for development and tests. */
export type Around = (name: string) => Disturbance | undefined
