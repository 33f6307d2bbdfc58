import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Contract, type Operation, operationId, type ReplyWith } from '@icosa/contract'
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import type { Credentials } from './auth/credentials.ts'
import type { SealedColumn } from './auth/vault.ts'
import type { Caller, Context } from './context.ts'
import type { Failure } from './errors.ts'
import type { RequestObserver } from './http/observe.ts'
import type { AnyPrepared, Engine, Handler, Resource } from './implement.ts'
import type { Job } from './jobs/jobs.ts'
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
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** Names and values by turns, as they came. */
  readonly rawHeaders: readonly string[]
  /** The bytes of the body, once they are read. */
  readonly body: Uint8Array | undefined
}

export interface Outgoing {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body: unknown
}

/** How a caller proves who it is, as data: what `icosa dev` prints and tests send. */
export type Authentication =
  | { readonly kind: 'key'; readonly header: string }
  | { readonly kind: 'bearer' }
  /** Over the body, too: callers are known once it is read, though not yet parsed. */
  | { readonly kind: 'signature'; readonly region: string; readonly service: string }
  | { readonly kind: 'none' }

/** The server half of a dialect: who calls, what a reply and a failure look like, which operations it adds. */
export interface DialectServer {
  readonly authentication: Authentication
  /** Undefined if the request carries no valid credential. */
  authenticate(incoming: Incoming, credentials: Credentials): Caller | undefined | Promise<Caller | undefined>
  /** Whether a request that names no service by its path is for this one. */
  claims?(incoming: Pick<Incoming, 'target' | 'headers'>): boolean
  /** Refuses a request of somebody who may call, before its body is read: by its version, for instance. */
  check?(incoming: Incoming, operation: Operation): void
  /** Refuses what only the database can tell, as the handler's own transaction sees it. */
  enter?(
    params: Readonly<Record<string, string>>,
    context: Context,
    operation: Operation,
    platform: Platform,
  ): Promise<void>
  /** The same, but refusing versions of the API that we do not know. */
  strict?(): DialectServer
  /** Parts of paths that callers may also write in another way, each with its other spellings. */
  readonly spellings?: Readonly<Record<string, readonly string[]>>
  reply(reply: ReplyWith<number, unknown>, operation: Operation, incoming: Incoming): Outgoing
  failure(failure: Failure, incoming: Incoming): Outgoing
  readonly resources?: Readonly<Record<string, Resource>>
}

/** A request for an engine, its body already read. */
export interface Exchange {
  readonly platform: Platform
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly body: Uint8Array | undefined
  /** The address as the caller knows it. */
  readonly url: URL
}

/** What routes outside the contract can reach: pages for people, and what a protocol has beside its operations. */
export interface Host {
  readonly platform: Platform
  exchangeOf(request: FastifyRequest, response: ServerResponse): Exchange
  /** To be called when it is known whose the request is: counts it against the tenant's rate, or refuses it. */
  admit(request: FastifyRequest, tenant: string): void
}

export interface Service {
  /** The letter by which the specification knows it; none for what is ours alone. */
  readonly letter?: string
  readonly name: string
  readonly title: string
  readonly dialect: DialectServer
  readonly resources: Readonly<Record<string, Resource>>
  /** Sees every answered request of a known caller, of any service. */
  readonly observe?: (platform: Platform) => RequestObserver
  /** Routes beside the operations, with whole paths. */
  readonly routes?: (host: Host) => FastifyPluginAsync
  readonly migrations?: URL
  /** Of every table that the migrations make. */
  readonly retention?: Retention
  /** Where it keeps what the vault sealed. */
  readonly sealed?: readonly SealedColumn[]
  // `never` takes jobs of every input: the queue keeps a job and its input together.
  readonly jobs?: readonly Job<never>[]
  readonly schedules?: readonly { readonly job: Job<never>; readonly everyMs: number }[]
}

/** An operation with all that the platform knows of it. */
export interface ServiceOperation {
  readonly service: Service
  readonly id: string
  readonly permission: string
  readonly operation: Operation
  readonly handler: Handler | AnyPrepared | Engine
}

/** Every operation of a service, its dialect's included, in the order of the contracts. */
export function operationsOfService(service: Service): ServiceOperation[] {
  const all = Object.entries({ ...service.resources, ...service.dialect.resources })
  const operations = all.flatMap(([resource, { contract, handlers }]) =>
    Object.entries(contract).map(([name, operation]): ServiceOperation => {
      const id = operationId(operation, resource, name)
      return {
        service,
        id,
        permission: `${service.name}:${id}`,
        operation,
        handler: handlers[name] as ServiceOperation['handler'],
      }
    }),
  )
  const ids = new Set(operations.map(({ id }) => id))
  if (ids.size < operations.length) throw new Error(`${service.name} has two operations of the same name.`)
  return operations
}

export function contractsOf(service: Service): Record<string, Contract> {
  const all = Object.entries({ ...service.resources, ...service.dialect.resources })
  return Object.fromEntries(all.map(([resource, { contract }]) => [resource, contract]))
}
