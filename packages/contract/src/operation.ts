import type { Params } from './path.ts'
import type { ObjectSchema, Properties, Schema } from './schema.ts'

export type Method = 'GET' | 'HEAD' | 'PUT' | 'POST' | 'PATCH' | 'DELETE'

export type BodyType = 'application/json' | 'application/x-www-form-urlencoded' | 'multipart/form-data'

/** Success replies by status; `null` is a reply without a body. The dialect adds its errors. */
export type Replies = Readonly<Record<number, Schema | null>>

/** What every operation of a dialect has in common, as data. */
export interface Dialect {
  readonly name: string
  /** An OpenAPI security scheme. */
  readonly security: Readonly<Record<string, unknown>>
  /** `unique`: an operation is known by its own name. `perResource`: by resource and name (`Databases_Get`). */
  readonly operationNames: 'unique' | 'perResource'
  /** Whether `/Plans` and `/plans` are the same path. */
  readonly caseSensitive: boolean
  readonly query?: ObjectSchema<Properties>
  /** Whether a request without a body is one with an empty object. */
  readonly bodyOptional?: true
  readonly error: Schema
}

/** One HTTP operation as plain data. Router, validator, OpenAPI, client and permission all read it. */
export interface Operation<
  Path extends string = string,
  R extends Replies = Replies,
  Query extends Schema | undefined = Schema | undefined,
  Body extends Schema | undefined = Schema | undefined,
  Headers extends Schema | undefined = Schema | undefined,
> extends Details<R, Query, Body, Headers> {
  readonly dialect: Dialect
  readonly method: Method
  /** An OpenAPI path, verbatim from the specification. */
  readonly path: Path
}

export interface Details<R, Query, Body, Headers> {
  readonly summary: string
  readonly query?: Query
  readonly headers?: Headers
  readonly body?: Body
  /** Media types that a body can have, the one a client sends first; JSON alone if nothing is said. */
  readonly bodyTypes?: readonly BodyType[]
  readonly replies: R
  /** Media types that a 200 can have instead of JSON, chosen by the caller's Accept header. */
  readonly media?: readonly string[]
  /** Callers need no credential: the operation is public, or its own protocol says who may what. */
  readonly open?: true
  /** Ours, beyond the specification; OpenAPI says so. */
  readonly extension?: true
  /** A POST or PUT that only reads needs no transaction. */
  readonly reads?: true
}

export type Contract = Readonly<Record<string, Operation>>

/** Whether the operation changes something: its handler then runs inside a transaction. */
export function writes({ method, reads }: Operation): boolean {
  return method !== 'GET' && method !== 'HEAD' && !reads
}

/** The name by which OpenAPI, metrics and permissions know an operation. */
export function operationId({ dialect }: Operation, resource: string, name: string): string {
  return dialect.operationNames === 'unique' ? name : `${resource}_${name.charAt(0).toUpperCase()}${name.slice(1)}`
}

/** The constructors that a dialect hands to its services: `get(path, { summary, query, replies })`. */
export function operationsOf(dialect: Dialect) {
  const of =
    (method: Method) =>
    <
      const Path extends string,
      R extends Replies,
      Query extends Schema | undefined = undefined,
      Body extends Schema | undefined = undefined,
      Headers extends Schema | undefined = undefined,
    >(
      path: Path,
      details: Details<R, Query, Body, Headers>,
    ): Operation<Path, R, Query, Body, Headers> => ({ dialect, method, path, ...details })

  return {
    get: of('GET'),
    head: of('HEAD'),
    put: of('PUT'),
    post: of('POST'),
    patch: of('PATCH'),
    delete: of('DELETE'),
  }
}

type Value<S> = [S] extends [null | undefined] ? undefined : NonNullable<S> extends Schema<infer T> ? T : never

type Defaults<Query> =
  NonNullable<Query> extends ObjectSchema<infer P>
    ? { readonly [K in keyof P as P[K] extends { readonly '~default': true } ? K : never]: P[K]['~static'] }
    : unknown

/** What a handler receives. */
export interface Input<O extends Operation> {
  readonly params: Params<O['path']>
  readonly query: Value<O['query']> & Defaults<O['query']>
  readonly headers: Value<O['headers']>
  readonly body: Value<O['body']>
}

/** What a client sends: only the parts that the operation has. */
export type Request<O extends Operation> = Part<Params<O['path']>, keyof Params<O['path']>, 'params'> &
  (Value<O['query']> extends infer Q ? (Partial<Q> extends Q ? { readonly query?: Q } : Part<Q, Q, 'query'>) : never) &
  (Value<O['headers']> extends infer H
    ? Partial<H> extends H
      ? { readonly headers?: H }
      : Part<H, H, 'headers'>
    : never) &
  Part<Value<O['body']>, Value<O['body']>, 'body'>

type Part<T, If, Name extends string> = [If] extends [undefined] ? unknown : { readonly [N in Name]: T }

/** Work that goes on after the reply; the dialect shows it to the caller in its own way. */
export interface StartedOperation {
  readonly id: string
}

export interface ReplyWith<Status extends number, Body> {
  readonly status: Status
  readonly body: Body
  readonly headers?: Readonly<Record<string, string>>
  readonly operation?: StartedOperation
  /** Where the next page starts: an opaque token. */
  readonly next?: string | undefined
}

/** The replies of an operation, told apart by `status`. */
export type Reply<O extends Operation> = {
  [S in keyof O['replies'] & number]: ReplyWith<S, Value<O['replies'][S]>>
}[keyof O['replies'] & number]
