import { type Params, paramNames } from './path.ts'
import type { ObjectSchema, Properties, Schema } from './schema.ts'

export type Method = 'GET' | 'HEAD' | 'PUT' | 'POST' | 'PATCH' | 'DELETE'

export type BodyType = 'application/json' | 'application/x-www-form-urlencoded' | 'multipart/form-data'

/** Success replies by status; `null` is a reply without a body. The dialect adds its errors. */
export type Replies = Readonly<Record<number, Schema | null>>

/** What the parameters of a path can be, by their names; one that is not named takes any text. */
export type ParamSchemas = Readonly<Record<string, Schema<string>>>

/** What every operation of a dialect has in common, as data. */
export interface Dialect {
  readonly name: string
  /** Which version of the API its specification describes, if it says. */
  readonly version?: string | undefined
  /** An OpenAPI security scheme; none where callers need not say who they are. */
  readonly security?: Readonly<Record<string, unknown>>
  /** `unique`: an operation is known by its own name. `perResource`: by resource and name (`Databases_Get`). */
  readonly operationNames: 'unique' | 'perResource'
  /** Whether `/Plans` and `/plans` are the same path. */
  readonly caseSensitive: boolean
  readonly query?: ObjectSchema<Properties>
  /** `ignored`: `?Key=` and `?key=` are the same parameter; contracts write it in lower case. */
  readonly queryCase?: 'ignored'
  /** `absent`: `?team=` says nothing about the team. */
  readonly queryEmpty?: 'absent'
  /** `refused`: a parameter that the operation does not have is 400, since a filter without effect answers too much. */
  readonly queryUnknown?: 'refused'
  /** Headers that any reply may have. */
  readonly replyHeaders?: ObjectSchema<Properties>
  /** Whether a request without a body is one with an empty object. */
  readonly bodyOptional?: true
  readonly error: Schema
  /** The statuses that an error can have. */
  readonly errorStatuses?: readonly number[]
  /** The media type of an error, if it is not that of JSON. */
  readonly errorType?: string
}

/** One HTTP operation as plain data. Router, validator, OpenAPI, client and permission all read it. */
export interface Operation<
  Path extends string = string,
  R extends Replies = Replies,
  Query extends Schema | undefined = Schema | undefined,
  Body extends Schema | undefined = Schema | undefined,
  Headers extends Schema | undefined = Schema | undefined,
  Names extends ParamSchemas = ParamSchemas,
> extends Details<R, Query, Body, Headers, Names> {
  readonly dialect: Dialect
  readonly method: Method
  /** An OpenAPI path, verbatim from the specification. */
  readonly path: Path
}

export interface Details<R, Query, Body, Headers, Names = ParamSchemas> {
  readonly summary: string
  /** Checked before anything else of the request. */
  readonly params?: Names
  readonly query?: Query
  readonly headers?: Headers
  readonly body?: Body
  /** Media types that a body can have, the one a client sends first; JSON alone if nothing is said. */
  readonly bodyTypes?: readonly BodyType[]
  /** Of the body as a whole; the default is the platform's. */
  readonly maxBytes?: number
  readonly replies: R
  /** The media type of replies that are JSON, if it is not `application/json`. */
  readonly replyType?: string
  /** Headers of success replies that callers need to know of. Where they are listed, a handler sends no others. */
  readonly replyHeaders?: ObjectSchema<Properties>
  /** Media types that a 200 can have instead of JSON, chosen by the caller's Accept header. */
  readonly media?: readonly string[]
  /** A GET whose HEAD the specification has; every GET is answered to HEAD. */
  readonly head?: true
  /** Callers need no credential: the operation is public, or its own protocol says who may what. */
  readonly open?: true
  /** Ours, beyond the specification; OpenAPI says so. */
  readonly extension?: true
  /** The path as the specification writes it, where one of its paths stands for several of ours. */
  readonly specified?: string
  /** A POST or PUT that only reads needs no transaction. */
  readonly reads?: true
}

export type Contract = Readonly<Record<string, Operation>>

/** Whether the operation changes something: its handler then runs inside a transaction. */
export function writes({ method, reads }: Operation): boolean {
  return method !== 'GET' && method !== 'HEAD' && !reads
}

/** The same for the compiler: a handler of such an operation gets a database handle that cannot write. */
export type ReadingOperation = { readonly method: 'GET' | 'HEAD' } | { readonly reads: true }

/** What the compiler knows of an operation by how it was made. */
export type Made<M extends Method, Reads> = { readonly method: M } & (Reads extends true
  ? { readonly reads: true }
  : unknown)

/** The name by which OpenAPI, metrics and permissions know an operation. */
export function operationId({ dialect }: Operation, resource: string, name: string): string {
  return dialect.operationNames === 'unique' ? name : `${resource}_${name.charAt(0).toUpperCase()}${name.slice(1)}`
}

/** Those parameters that a path has. */
export function paramsOf(path: string, names: ParamSchemas): ParamSchemas {
  return Object.fromEntries(paramNames(path).flatMap((name) => (names[name] ? [[name, names[name]]] : [])))
}

export interface Common<At extends string> {
  /** Where the API is, if not at the root of its service: its mount, put before every path. */
  readonly at?: At
  /** Parameters that many paths have, described once. */
  readonly params?: ParamSchemas
}

/** The constructors that a dialect hands to its services: `get(path, { summary, query, replies })`. */
export function operationsOf<const At extends string = ''>(
  dialect: Dialect,
  { at = '' as At, params = {} }: Common<At> = {},
) {
  const of =
    <M extends Method>(method: M) =>
    <
      const Path extends string,
      R extends Replies,
      Query extends Schema | undefined = undefined,
      Body extends Schema | undefined = undefined,
      Headers extends Schema | undefined = undefined,
      Names extends ParamSchemas = Record<never, Schema<string>>,
      Reads extends true | undefined = undefined,
    >(
      path: Path,
      details: Details<R, Query, Body, Headers, Names> & { readonly reads?: Reads },
    ) =>
      ({
        dialect,
        method,
        path: `${at}${path}`,
        ...details,
        params: { ...paramsOf(at + path, params), ...details.params } as Names,
      }) as Operation<`${At}${Path}`, R, Query, Body, Headers, Names> & Made<M, Reads>

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

/** The parameters of a path: texts, or what their schemas narrow them to. */
type ParamValues<O extends Operation> = {
  readonly [N in keyof Params<O['path']>]: N extends keyof NonNullable<O['params']>
    ? NonNullable<O['params']>[N] extends Schema<infer T>
      ? T
      : string
    : string
}

/** What a handler receives. */
export interface Input<O extends Operation> {
  readonly params: ParamValues<O>
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
