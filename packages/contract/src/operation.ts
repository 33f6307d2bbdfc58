import { type Params, paramNames } from './path.ts'
import type { ObjectSchema, Properties, Schema } from './schema.ts'

export type Method = 'GET' | 'HEAD' | 'PUT' | 'POST' | 'PATCH' | 'DELETE'

export type BodyType = 'application/json' | 'application/x-www-form-urlencoded' | 'multipart/form-data'

/** Success replies by status; `null` is a reply without a body. The dialect adds its errors. */
export type Replies = Readonly<Record<number, Schema | null>>

/** Schemas of path parameters; those without one accept any text. */
export type ParamSchemas = Readonly<Record<string, Schema<string>>>

/** Properties shared by all operations of a dialect, as data. */
export interface Dialect {
  readonly name: string
  /** API version of the specification, if it has one. */
  readonly version?: string | undefined
  /** OpenAPI security scheme; none for anonymous callers. */
  readonly security?: Readonly<Record<string, unknown>>
  /** `unique`: operation IDs are the operations' names. `perResource`: resource and name (`Databases_Get`). */
  readonly operationNames: 'unique' | 'perResource'
  /** Whether `/Plans` and `/plans` are different paths. */
  readonly caseSensitive: boolean
  readonly query?: ObjectSchema<Properties>
  /** `ignored`: `?Key=` and `?key=` are the same parameter; contracts write it in lower case. */
  readonly queryCase?: 'ignored'
  /** `absent`: `?team=` is treated as omitted. */
  readonly queryEmpty?: 'absent'
  /** `refused`: an unknown parameter is 400, since an ignored filter would return too much. */
  readonly queryUnknown?: 'refused'
  /** Headers that any reply may have. */
  readonly replyHeaders?: ObjectSchema<Properties>
  /** Whether a missing body counts as an empty object. */
  readonly bodyOptional?: true
  readonly error: Schema
  readonly errorStatuses?: readonly number[]
  /** Media type of errors; defaults to JSON's. */
  readonly errorType?: string
}

/** One HTTP operation as plain data, for router, validator, OpenAPI, client and permissions. */
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
  /** OpenAPI path, verbatim from the specification. */
  readonly path: Path
}

export interface Details<R, Query, Body, Headers, Names = ParamSchemas> {
  readonly summary: string
  /** Checked before the rest of the request. */
  readonly params?: Names
  readonly query?: Query
  readonly headers?: Headers
  readonly body?: Body
  /** Accepted media types, the one a client sends first; defaults to JSON. */
  readonly bodyTypes?: readonly BodyType[]
  /** Limit of the whole body; defaults to the platform's. */
  readonly maxBytes?: number
  readonly replies: R
  /** Media type of JSON replies; defaults to `application/json`. */
  readonly replyType?: string
  /** Documented headers of success replies. If listed, handlers may send no others. */
  readonly replyHeaders?: ObjectSchema<Properties>
  /** Alternatives to JSON for a 200, selected by the Accept header. */
  readonly media?: readonly string[]
  /** Documents HEAD in OpenAPI; every GET also serves HEAD. */
  readonly head?: true
  /** No credential required: the operation is public, or its own protocol authenticates. */
  readonly open?: true
  /** Our extension of the specification, marked in OpenAPI. */
  readonly extension?: true
  /** The specification's path, if it covers several of ours. */
  readonly specified?: string
  /** A POST or PUT that only reads needs no transaction. */
  readonly reads?: true
}

export type Contract = Readonly<Record<string, Operation>>

/** Marks operations as our extensions of the specification. Any object, since `Contract` would widen the types of operations. */
export const extensions = <C extends object>(operations: C): C =>
  Object.fromEntries(
    Object.entries(operations).map(([name, operation]) => [name, { ...operation, extension: true }]),
  ) as C

/** Whether the handler runs inside a transaction. */
export function writes({ method, reads }: Operation): boolean {
  return method !== 'GET' && method !== 'HEAD' && !reads
}

/** `writes` at the type level: handlers of these operations get a read-only database handle. */
export type ReadingOperation = { readonly method: 'GET' | 'HEAD' } | { readonly reads: true }

/** Literal types of an operation's method and `reads`. */
export type MethodLiterals<M extends Method, Reads> = { readonly method: M } & (Reads extends true
  ? { readonly reads: true }
  : unknown)

/** ID in OpenAPI, metrics and permissions. */
export function operationId({ dialect }: Operation, resource: string, name: string): string {
  return dialect.operationNames === 'unique' ? name : `${resource}_${name.charAt(0).toUpperCase()}${name.slice(1)}`
}

/** Schemas of the parameters in a path. */
export function paramsOf(path: string, names: ParamSchemas): ParamSchemas {
  return Object.fromEntries(paramNames(path).flatMap((name) => (names[name] ? [[name, names[name]]] : [])))
}

export interface Common<At extends string> {
  /** Mount of the API, prepended to every path; defaults to the service's root. */
  readonly at?: At
  /** Schemas of path parameters, shared by all paths. */
  readonly params?: ParamSchemas
}

/** Returns a dialect's constructors for operations: `get(path, { summary, query, replies })`. */
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
      }) as Operation<`${At}${Path}`, R, Query, Body, Headers, Names> & MethodLiterals<M, Reads>

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

/** Path parameters: strings, or the types of their schemas. */
type ParamValues<O extends Operation> = {
  readonly [N in keyof Params<O['path']>]: N extends keyof NonNullable<O['params']>
    ? NonNullable<O['params']>[N] extends Schema<infer T>
      ? T
      : string
    : string
}

export interface Input<O extends Operation> {
  readonly params: ParamValues<O>
  readonly query: Value<O['query']> & Defaults<O['query']>
  readonly headers: Value<O['headers']>
  readonly body: Value<O['body']>
}

/** A client's request: only the parts that the operation has. */
export type Request<O extends Operation> = Part<Params<O['path']>, keyof Params<O['path']>, 'params'> &
  (Value<O['query']> extends infer Q ? (Partial<Q> extends Q ? { readonly query?: Q } : Part<Q, Q, 'query'>) : never) &
  (Value<O['headers']> extends infer H
    ? Partial<H> extends H
      ? { readonly headers?: H }
      : Part<H, H, 'headers'>
    : never) &
  Part<Value<O['body']>, Value<O['body']>, 'body'>

type Part<T, If, Name extends string> = [If] extends [undefined] ? unknown : { readonly [N in Name]: T }

/** A long-running operation; the dialect represents it in its own way. */
export interface StartedOperation {
  readonly id: string
}

export interface ReplyWith<Status extends number, Body> {
  readonly status: Status
  readonly body: Body
  readonly headers?: Readonly<Record<string, string>>
  readonly operation?: StartedOperation
  /** Opaque token of the next page. */
  readonly next?: string | undefined
}

/** Union of an operation's replies, discriminated by `status`. */
export type Reply<O extends Operation> = {
  [S in keyof O['replies'] & number]: ReplyWith<S, Value<O['replies'][S]>>
}[keyof O['replies'] & number]
