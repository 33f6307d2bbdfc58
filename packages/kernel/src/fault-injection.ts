import type { IncomingMessage, ServerResponse } from 'node:http'

/** Wraps the requests of an operation, or the runs of a job: it may delay, refuse or break them. */
export interface InjectedFault {
  request<T>(request: IncomingMessage, response: ServerResponse, work: () => Promise<T>): Promise<T>
  /** `lose` discards all further effects of the run; the job is claimed again, as if its worker had died. */
  job<T>(work: () => Promise<T>, lose: () => void): Promise<T>
}

/** Returns the fault to inject into an operation or job, such as `backup:StartBackupJob`, in development and tests. */
export type FaultInjector = (name: string) => InjectedFault | undefined
