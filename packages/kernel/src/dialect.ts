import type { Operation, ReplyWith, Schema } from '@icosa/contract'
import type { Credentials } from './auth/credentials.ts'
import type { Caller, Context, ReadingContext } from './context.ts'
import type { Failure } from './errors.ts'
import type { TenantSource } from './http/route/tenant-source.ts'
import type { Resource } from './implement.ts'
import type { Platform } from './platform.ts'

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
  /** Where else its requests name their tenant. */
  readonly tenantSources?: readonly TenantSource[]
  /** Returns undefined if the request carries no valid credential; throws a failure to explain why. */
  authenticate(
    incoming: Incoming,
    credentials: Credentials,
    runtime: Runtime,
  ): Caller | undefined | Promise<Caller | undefined>
  /** Returns the target below the service of a request without a service path, if it is for this API. */
  locate?(incoming: Pick<Incoming, 'target' | 'headers'>): string | undefined
  /** Returns the original's name of an operation that is not supported, for requests that match no operation. */
  unsupported?(incoming: Incoming): string | undefined
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
  /** Refuses a scope of another tenant before a preparation, which may have effects outside the database. */
  checkScope?(params: Readonly<Record<string, string>>, context: ReadingContext, platform: Platform): Promise<void>
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
