import { Failure, type FairSemaphore, fairSemaphore } from '@icosa/kernel'

/** Limits of the builds of a worker pool. */
export interface WorkerPool {
  readonly seconds: number
  /** Builds at a time on each node. */
  readonly concurrency: number
}

/** Name of a pool: `large`, or `projects/P/locations/L/workerPools/large`. */
export const poolName = (workerPool: string): string =>
  /^projects\/[^/]+\/locations\/[^/]+\/workerPools\/([^/]+)$/.exec(workerPool)?.[1] ?? workerPool

export interface OpenedPool {
  readonly buildMs: number
  /** Undefined for builds outside of pools, which only the job queue limits. */
  readonly builds: FairSemaphore | undefined
}

/** Opens the operator's pools. The result finds that of a build. */
export function openPools(
  workerPools: Readonly<Record<string, WorkerPool>>,
  buildMs: number,
): (workerPool: string | undefined) => OpenedPool {
  const pools = new Map(
    Object.entries(workerPools).map(([name, { seconds, concurrency }]): [string, OpenedPool] => [
      name,
      { buildMs: seconds * 1_000, builds: fairSemaphore(concurrency) },
    ]),
  )
  return (workerPool) => {
    if (workerPool === undefined) return { buildMs, builds: undefined }
    const pool = pools.get(poolName(workerPool))
    if (pool) return pool
    throw new Failure('preconditionFailed', `The operator has removed the worker pool '${poolName(workerPool)}'.`)
  }
}
