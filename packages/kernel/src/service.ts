import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Contract, type Operation, operationId, type ReplyWith, type Schema } from '@icosa/contract'
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import type { Credentials } from './auth/credentials.ts'
import type { SealedColumn } from './auth/vault.ts'
import type { Backup } from './backups.ts'
import type { Caller, Context } from './context.ts'
import type { Sql } from './db/db.ts'
import type { Failure } from './errors.ts'
import type { Admission } from './http/gates.ts'
import type { RequestObserver } from './http/observe.ts'
import type { AnyPrepared, Engine, Handler, Resource } from './implement.ts'
import type { Job } from './jobs/jobs.ts'
import type { BlobUse } from './orphans.ts'
import type { Platform } from './platform.ts'
import type { Retention } from './retention.ts'

/** The part of a request that a dialect reads before the handler. */
export interface Incoming {
  /** ID in the reply and the log. */
  readonly id: string
  readonly method: string
  /** Path and query, undecoded, as covered by a signature. */
  readonly target: string
  /** URL as the caller sees it: behind a proxy, the public one. */
  readonly url: URL
  /** Client address, as reported by trusted proxies. */
  readonly ip: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** Path parameters, by their names in the contract. */
  readonly params: Readonly<Record<string, string>>
  /** Names and values alternating, as received. */
  readonly rawHeaders: readonly string[]
  /** Undefined until it is read. */
  readonly body: Uint8Array | undefined
}

export interface Outgoing {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body: unknown
  /** Media type of a JSON body, if it differs from the contract. */
  readonly mediaType?: string | undefined
}

/** The authentication scheme as data, for `icosa dev` and tests. */
export type Authentication =
  | { readonly kind: 'key'; readonly header: string }
  | { readonly kind: 'bearer' }
  | { readonly kind: 'basic' }
  /** Covers the body: callers are authenticated once it is read, though not yet parsed. */
  | { readonly kind: 'signature'; readonly region: string; readonly service: string }
  | { readonly kind: 'none' }

/** Server half of a dialect: authentication, replies, failures, and operations of its own. */
export interface DialectServer<Runtime = unknown> {
  readonly authentication: Authentication
  /** Returns undefined if the request carries no valid credential; throws a failure to explain why. */
  authenticate(
    incoming: Incoming,
    credentials: Credentials,
    runtime: Runtime,
  ): Caller | undefined | Promise<Caller | undefined>
  /** Returns the target below the service of a request without a service path, if it is for this API. */
  locate?(incoming: Pick<Incoming, 'target' | 'headers'>): string | undefined
  /** Refuses an authorized request before its body is read: by its version, for instance. */
  check?(incoming: Incoming, operation: Operation, caller: Caller): void
  /** Converts a parsed body to the contract's form before validation, where callers may deviate from it. */
  normalize?(body: unknown, schema: Schema): unknown
  /** Returns the caller's name for a field of a normalized body, for messages. */
  sentAs?(body: unknown, schema: Schema, field: string): string
  /** Returns a cached response for an authorized caller, before anything but the request's head is read. */
  cachedResponse?(incoming: Incoming, caller: Caller, runtime: Runtime): Outgoing | undefined
  /** Refuses a body before it is parsed: one that is not what was signed, for instance. */
  checkBody?(incoming: Incoming, caller: Caller): void
  /** Checks preconditions in the database, within the handler's transaction. */
  enter?(
    params: Readonly<Record<string, string>>,
    context: Context,
    operation: Operation,
    platform: Platform,
  ): Promise<void>
  /** Returns a variant that refuses unknown API versions. */
  strict?(): DialectServer<Runtime>
  /** Alternative spellings of path segments; or a function of the whole path. */
  readonly spellings?: Readonly<Record<string, readonly string[]>> | ((path: string) => readonly string[])
  reply(reply: ReplyWith<number, unknown>, operation: Operation, incoming: Incoming, runtime: Runtime): Outgoing
  failure(failure: Failure, incoming: Incoming): Outgoing
  readonly resources?: Readonly<Record<string, Resource<Runtime>>>
}

/** Operations in one dialect. Most services have one API. */
export interface Api<Runtime = unknown> {
  /** Distinguishes it from the first API of its service, which needs no name. */
  readonly name?: string
  /** OpenAPI title; defaults to the service's. */
  readonly title?: string
  readonly dialect: DialectServer<Runtime>
  /**
   * Mount below the service, possibly with parameters: `/stores/{name}`. All its paths begin with it, and not-found
   * errors below it use its dialect. Defaults to the service's root.
   */
  readonly at?: string
  readonly resources: Readonly<Record<string, Resource<Runtime>>>
}

/** A request for an engine, with its body already read. */
export interface Exchange<Runtime = unknown> {
  readonly platform: Platform
  /** The service's runtime on this node. */
  readonly runtime: Runtime
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly body: Uint8Array | undefined
  /** URL as the caller sees it. */
  readonly url: URL
}

/** For routes outside the contract: pages, and protocol endpoints beside the operations. */
export interface RouteHost<Runtime = unknown> {
  readonly platform: Platform
  /** The service's runtime on this node. */
  readonly runtime: Runtime
  exchangeOf(request: FastifyRequest, response: ServerResponse): Exchange<Runtime>
}

/**
 * Subdomains of a domain, each its own origin. A request to any path of `label.of` is routed to `at` + label; the
 * handler finds the path in `originalUrl`, and the label in `raw.subdomain`.
 */
export interface Subdomains {
  /** In lower case: `fn.example.com`. */
  readonly of: string
  /** Path prefix of the service's route: `/functions/run/`. */
  readonly at: string
}

/** Registers a closing function, right after opening: the last opened is closed first. */
export type OnStop = (close: () => unknown) => void

export interface Service<Runtime = unknown> {
  /** The service's letter in the specification; none for our own services. */
  readonly letter?: string
  readonly name: string
  readonly title: string
  readonly apis: readonly [Api<Runtime>, ...Api<Runtime>[]]
  /**
   * Runs once on every node that serves or works for it, before the first request and job. Returns the service's
   * runtime there, which the rest of this manifest receives as `runtime`. Closed after the last request and job.
   */
  readonly start?: (platform: Platform, onStop: OnStop) => Runtime | Promise<Runtime>
  /** Observes all authenticated, answered requests, of any service. */
  readonly observe?: (platform: Platform, runtime: Runtime) => RequestObserver
  /** Admission control for authenticated requests to any service, before their bodies are read. */
  readonly admit?: (platform: Platform, runtime: Runtime) => Admission
  /** Hosts of this service alone, for user content. */
  readonly subdomains?: Subdomains | undefined
  /** Routes beside the operations, with full paths. */
  readonly routes?: (host: RouteHost<Runtime>) => FastifyPluginAsync
  readonly migrations?: URL
  /** Required for every table. */
  readonly retention?: Retention
  /** Required for every kind of blob. */
  readonly blobs?: BlobUse
  /** Columns of sealed values. */
  readonly sealed?: readonly SealedColumn[]
  readonly backups?: readonly Backup<Runtime>[]
  // `never` accepts jobs of every input: the queue keeps a job and its input together.
  readonly jobs?: readonly Job<never, Runtime>[]
  readonly schedules?: readonly ServiceSchedule<Runtime>[]
}

export interface ServiceSchedule<Runtime = unknown> {
  readonly job: Job<never, Runtime>
  readonly everyMs: number
  /**
   * Selects a row if the job has work, and only then it runs: an idle cell creates no jobs. Runs every time the
   * schedule is due, so it must use an index.
   */
  readonly hasWork?: ((now: Date) => Sql) | undefined
}

/**
 * A service with a runtime. Its handlers, jobs and routes are checked against the type that `start` returns, which is
 * erased here.
 */
export function serviceWithRuntime<Runtime>(
  service: Service<Runtime> & Required<Pick<Service<Runtime>, 'start'>>,
): Service {
  return service as unknown as Service
}

/** A service with its runtime on a node. */
export interface StartedService extends Service {
  readonly runtime: unknown
}

/** Returns the service refusing unknown versions of its APIs. */
export function strictService(service: Service): Service {
  const [first, ...others] = service.apis
  const strict = (api: Api): Api => ({ ...api, dialect: api.dialect.strict?.() ?? api.dialect })
  return { ...service, apis: [strict(first), ...others.map(strict)] }
}

export interface ServiceOperation<S extends Service = Service> {
  readonly service: S
  readonly api: Api
  readonly id: string
  readonly permission: string
  readonly operation: Operation
  readonly handler: Handler | AnyPrepared | Engine
}

/** Lists all operations of a service, including its dialects', in contract order. */
export function operationsOfService<S extends Service>(service: S): ServiceOperation<S>[] {
  const operations = service.apis.flatMap((api) => operationsOfApi(service, api))
  const ids = new Set(operations.map(({ id }) => id))
  if (ids.size < operations.length) throw new Error(`${service.name} has two operations of the same name.`)
  const mounts = new Set(service.apis.map(({ at = '' }) => at))
  if (mounts.size < service.apis.length) throw new Error(`${service.name} has two APIs mounted at the same path.`)
  return operations
}

export function operationsOfApi<S extends Service>(service: S, api: Api): ServiceOperation<S>[] {
  const { at = '' } = api
  return Object.entries(resourcesOf(api)).flatMap(([resource, { contract, handlers }]) =>
    Object.entries(contract).map(([name, operation]): ServiceOperation<S> => {
      const id = operationId(operation, resource, name)
      if (!operation.path.startsWith(`${at}/`)) throw new Error(`${id} of ${service.name} is not at ${at}.`)
      return {
        service,
        api,
        id,
        permission: `${service.name}:${id}`,
        operation,
        handler: handlers[name] as ServiceOperation['handler'],
      }
    }),
  )
}

export function contractsOf(api: Api): Record<string, Contract> {
  const all = Object.entries(resourcesOf(api))
  return Object.fromEntries(all.map(([resource, { contract }]) => [resource, contract]))
}

const resourcesOf = ({ resources, dialect }: Api) => ({ ...resources, ...dialect.resources })
