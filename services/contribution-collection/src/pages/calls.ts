import { type Context, Failure, type Handler, type OperationsOf, type Platform, type Resource } from '@icosa/kernel'
import type { Contributor } from '../dialect/caller.ts'
import { serviceName } from '../names.ts'
import type { ServiceRuntime } from '../runtime.ts'

export interface Host {
  readonly platform: Platform
  readonly runtime: ServiceRuntime
}

const none = (): never => {
  throw new Failure('internal', 'Pages start no operations.')
}
const operations: OperationsOf = { start: none, find: none, cancel: none }
/** Phones may need long to upload a film. */
const maxMs = 3_600_000

/** Context of a handler outside its transaction, for pages. */
export const preparationOf = ({ platform, runtime }: Host, caller: Contributor) => {
  const { database, clock, cellVault, log, blobsOf } = platform
  return {
    runtime,
    db: database.of(caller.tenant).reading,
    caller,
    clock,
    blobs: blobsOf(serviceName, caller.tenant),
    tenantVault: () => cellVault.of(caller.tenant),
    cellVault,
    log,
    signal: AbortSignal.timeout(maxMs),
  }
}

/** Runs a page's write in a handler's transaction. */
export const writing = <T>(
  host: Host,
  caller: Contributor,
  work: (context: Context<ServiceRuntime>) => Promise<T>,
): Promise<T> =>
  host.platform.transaction(serviceName, caller.tenant, (db, jobs, resources) =>
    work({ ...preparationOf(host, caller), db, jobs, resources, operations }),
  )

/** The API's handler, so that pages follow the same rules and notify the same subscribers. */
export function handlerOf(resource: Resource<ServiceRuntime>, name: string): Handler<ServiceRuntime> {
  const handler = resource.handlers[name]
  if (typeof handler !== 'function') throw new Error(`${name} has a preparation, which pages do not support.`)
  return handler
}
