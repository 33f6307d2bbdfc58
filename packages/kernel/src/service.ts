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

/** What a dialect may read of a request before any handler does. */
export interface Incoming {
  /** By which the answer and the log name it. */
  readonly id: string
  readonly method: string
  /** Path and query as they came, undecoded: what a signature covers. */
  readonly target: string
  /** The address as the caller knows it: behind a proxy, the public one. */
  readonly url: URL
  /** Where it comes from: behind trusted proxies, what they say. */
  readonly ip: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** Of the path, under the names of the contract. */
  readonly params: Readonly<Record<string, string>>
  /** Names and values by turns, as they came. */
  readonly rawHeaders: readonly string[]
  /** The bytes of the body, once they are read. */
  readonly body: Uint8Array | undefined
}

export interface Outgoing {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body: unknown
  /** Of a body that is JSON, where it is not that of the contract. */
  readonly mediaType?: string | undefined
}

/** How a caller proves who it is, as data: what `icosa dev` prints and tests send. */
export type Authentication =
  | { readonly kind: 'key'; readonly header: string }
  | { readonly kind: 'bearer' }
  | { readonly kind: 'basic' }
  /** Over the body, too: callers are known once it is read, though not yet parsed. */
  | { readonly kind: 'signature'; readonly region: string; readonly service: string }
  | { readonly kind: 'none' }

/** The server half of a dialect: who calls, what a reply and a failure look like, which operations it adds. */
export interface DialectServer<Held = unknown> {
  readonly authentication: Authentication
  /** Undefined if the request carries no valid credential; a failure if there is more to say. */
  authenticate(
    incoming: Incoming,
    credentials: Credentials,
    held: Held,
  ): Caller | undefined | Promise<Caller | undefined>
  /** The target below the service of a request that names no service by its path, if it is for this API. */
  locate?(incoming: Pick<Incoming, 'target' | 'headers'>): string | undefined
  /** Refuses a request of somebody who may call, before its body is read: by its version, for instance. */
  check?(incoming: Incoming, operation: Operation, caller: Caller): void
  /** A parsed body as the contract writes it, where callers may write it otherwise: it is checked after this. */
  normalize?(body: unknown, schema: Schema): unknown
  /** The name under which a caller sent a field of a normalized body, for messages about it. */
  sentAs?(body: unknown, schema: Schema, field: string): string
  /** An answer that lies ready in memory, for somebody who may call: nothing of the request is read but its head. */
  recall?(incoming: Incoming, caller: Caller, held: Held): Outgoing | undefined
  /** Refuses a body before it is parsed: one that is not what was signed, for instance. */
  checkBody?(incoming: Incoming, caller: Caller): void
  /** Refuses what only the database can tell, as the handler's own transaction sees it. */
  enter?(
    params: Readonly<Record<string, string>>,
    context: Context,
    operation: Operation,
    platform: Platform,
  ): Promise<void>
  /** The same, but refusing versions of the API that we do not know. */
  strict?(): DialectServer<Held>
  /** Parts of paths that callers may also write in another way, each with its other spellings; or those of a whole path. */
  readonly spellings?: Readonly<Record<string, readonly string[]>> | ((path: string) => readonly string[])
  reply(reply: ReplyWith<number, unknown>, operation: Operation, incoming: Incoming, held: Held): Outgoing
  failure(failure: Failure, incoming: Incoming): Outgoing
  readonly resources?: Readonly<Record<string, Resource<Held>>>
}

/** Operations that speak one dialect. Most services have one API. */
export interface Api<Held = unknown> {
  /** Tells it from the first API of its service, which needs no name. */
  readonly name?: string
  /** Of its OpenAPI document, if it is not the service's. */
  readonly title?: string
  readonly dialect: DialectServer<Held>
  /**
   * Where it is mounted below the service, which may have parameters: `/stores/{name}`. All its paths begin so, and
   * what is not found there is answered in its dialect. At the root of the service if not given.
   */
  readonly at?: string
  readonly resources: Readonly<Record<string, Resource<Held>>>
}

/** A request for an engine, its body already read. */
export interface Exchange<Held = unknown> {
  readonly platform: Platform
  /** What the service has open on this node. */
  readonly held: Held
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly body: Uint8Array | undefined
  /** The address as the caller knows it. */
  readonly url: URL
}

/** What routes outside the contract can reach: pages for people, and what a protocol has beside its operations. */
export interface RouteHost<Held = unknown> {
  readonly platform: Platform
  /** What the service has open on this node. */
  readonly held: Held
  exchangeOf(request: FastifyRequest, response: ServerResponse): Exchange<Held>
}

/**
 * The subdomains of a domain, each an origin of its own. A request to any path of `label.of` is routed to `at` + label; the handler
 * finds the path in `originalUrl`, and the label in `raw.subdomain`.
 */
export interface Subdomains {
  /** In lower case: `fn.example.com`. */
  readonly of: string
  /** Of a route of the service: `/functions/run/`. */
  readonly at: string
}

/** To be called by a start for whatever it opens, once that is open: what was opened last is closed first. */
export type OnStop = (close: () => unknown) => void

export interface Service<Held = unknown> {
  /** The letter by which the specification knows it; none for what is ours alone. */
  readonly letter?: string
  readonly name: string
  readonly title: string
  readonly apis: readonly [Api<Held>, ...Api<Held>[]]
  /**
   * Runs once on every node that serves or works for it, before the first request and job. Answers what the service
   * holds open there: everything else in this manifest reaches it as `held`. Closed after the last request and job.
   */
  readonly start?: (platform: Platform, onStop: OnStop) => Held | Promise<Held>
  /** Sees every answered request of a known caller, of any service. */
  readonly observe?: (platform: Platform, held: Held) => RequestObserver
  /** Refuses requests of known callers to any service, before anything of their bodies is read. */
  readonly admit?: (platform: Platform, held: Held) => Admission
  /** Hosts that belong to this service alone, for content of users. */
  readonly subdomains?: Subdomains | undefined
  /** Routes beside the operations, with whole paths. */
  readonly routes?: (host: RouteHost<Held>) => FastifyPluginAsync
  readonly migrations?: URL
  /** Of every table that the migrations make. */
  readonly retention?: Retention
  /** Of every kind of blob that it writes. */
  readonly blobs?: BlobUse
  /** Where it keeps what the vault sealed. */
  readonly sealed?: readonly SealedColumn[]
  /** Which of its resources can be backed up, and how. */
  readonly backups?: readonly Backup<Held>[]
  // `never` takes jobs of every input: the queue keeps a job and its input together.
  readonly jobs?: readonly Job<never, Held>[]
  readonly schedules?: readonly ServiceSchedule<Held>[]
}

export interface ServiceSchedule<Held = unknown> {
  readonly job: Job<never, Held>
  readonly everyMs: number
  /**
   * Selects a row if there is anything for the job to do: it runs only then, so that an idle cell makes no jobs. Read every
   * time a schedule is due, so it must be a matter of an index.
   */
  readonly hasWork?: ((now: Date) => Sql) | undefined
}

/**
 * A service that holds something open. What its handlers, jobs and routes need was checked against what its start
 * answers; from here on nobody asks for the type.
 */
export function serviceHolding<Held>(service: Service<Held> & Required<Pick<Service<Held>, 'start'>>): Service {
  return service as unknown as Service
}

/** A service on a node. */
export interface StartedService extends Service {
  readonly held: unknown
}

/** The same service, refusing versions of its APIs that we do not know. */
export function strictService(service: Service): Service {
  const [first, ...others] = service.apis
  const strict = (api: Api): Api => ({ ...api, dialect: api.dialect.strict?.() ?? api.dialect })
  return { ...service, apis: [strict(first), ...others.map(strict)] }
}

/** An operation with all that the platform knows of it. */
export interface ServiceOperation<S extends Service = Service> {
  readonly service: S
  readonly api: Api
  readonly id: string
  readonly permission: string
  readonly operation: Operation
  readonly handler: Handler | AnyPrepared | Engine
}

/** Every operation of a service, its dialects' included, in the order of the contracts. */
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
