import type { Readable } from 'node:stream'
import type { Contract, Input, ReadingOperation, Reply, ReplyWith, StartedOperation } from '@icosa/contract'
import type { Context, ReadingContext } from './context.ts'
import type { FileSource } from './http/reply/file.ts'
import type { Exchange } from './service.ts'

/** One function per operation. A missing one does not compile. */
export type Handlers<C extends Contract, Runtime = unknown> = {
  readonly [Name in keyof C]:
    | Engine<Runtime>
    | ((input: Input<C[Name]>, context: ContextOf<C[Name], Runtime>) => Promise<Reply<C[Name]>>)
    // Handlers that only read hold no connection, so they need no preparation.
    | (C[Name] extends ReadingOperation ? never : Prepared<Input<C[Name]>, Reply<C[Name]>, Runtime>)
}

/** A handler's context: read-only if its operation only reads. */
export type ContextOf<O, Runtime = unknown> = O extends ReadingOperation ? ReadingContext<Runtime> : Context<Runtime>

/** Context before the transaction: the database is read-only. */
export type Preparation<Runtime = unknown> = Omit<ReadingContext<Runtime>, 'operations'>

/** A two-phase handler: `prepare` returns the function that runs in the transaction. */
export class Prepared<In, Out, Runtime = unknown> {
  readonly prepare: (input: In, context: Preparation<Runtime>) => Promise<(context: Context<Runtime>) => Promise<Out>>

  constructor(prepare: Prepared<In, Out, Runtime>['prepare']) {
    this.prepare = prepare
  }
}

/**
 * Creates a handler that needs something from outside the database: a process, a file, another server. `prepare` runs
 * first, while no transaction is open and no connection is in use; `handle` gets its result.
 */
export function withPreparation<In, Result, Out, Runtime = unknown>(
  prepare: (input: NoInfer<In>, context: Preparation<NoInfer<Runtime>>) => Promise<Result>,
  handle: (input: In, context: Context<Runtime>, prepared: Result) => Promise<Out>,
): Prepared<In, Out, Runtime> {
  return new Prepared(async (input, context) => {
    const prepared = await prepare(input, context)
    return (inside) => handle(input, inside, prepared)
  })
}

/** Serves an operation itself: a protocol library with its own parsing, validation and output. */
export class Engine<Runtime = unknown> {
  readonly serve: (exchange: Exchange<Runtime>) => Promise<void>

  constructor(serve: (exchange: Exchange<Runtime>) => Promise<void>) {
    this.serve = serve
  }
}

export type Handler<Runtime = unknown> = (
  input: unknown,
  context: Context<Runtime>,
) => Promise<ReplyWith<number, unknown>>

export type AnyPrepared<Runtime = unknown> = Prepared<unknown, ReplyWith<number, unknown>, Runtime>

/** A contract with its handlers. `implement` checks their types. */
export interface Resource<Runtime = unknown> {
  readonly contract: Contract
  readonly handlers: Readonly<Record<string, Handler<Runtime> | AnyPrepared<Runtime> | Engine<Runtime>>>
}

/** Handlers that use their service's runtime declare it: `implement<typeof contract, ServiceRuntime>(contract, { ... })`. */
export function implement<C extends Contract, Runtime = unknown>(
  contract: C,
  handlers: Handlers<C, Runtime>,
): Resource<Runtime> {
  return { contract, handlers: handlers as unknown as Resource<Runtime>['handlers'] }
}

export const ok = <B>(body: B, more: Pick<ReplyWith<200, B>, 'headers' | 'next'> = {}): ReplyWith<200, B> => ({
  status: 200,
  body,
  ...more,
})
export const created = <B>(body: B, headers?: Readonly<Record<string, string>>): ReplyWith<201, B> => ({
  status: 201,
  body,
  ...(headers && { headers }),
})
export const notModified = (headers: Readonly<Record<string, string>>): ReplyWith<304, undefined> => ({
  status: 304,
  body: undefined,
  headers,
})
export const noContent = (): ReplyWith<204, undefined> => ({ status: 204, body: undefined })

export function accepted<B>(body: B, operation: StartedOperation): ReplyWith<202, B> {
  return { status: 202, body, operation }
}

/** Files support range requests; streams have no length and no ranges. */
export type Content = string | Uint8Array | Readable | FileSource

/** A body of another media type than JSON: listed under `media` in the contract, or the reply is a `download`. */
export class Media {
  readonly mediaType: string
  readonly content: Content

  constructor(mediaType: string, content: Content) {
    this.mediaType = mediaType
    this.content = content
  }
}

/** Media in memory. */
export interface WholeMedia extends Media {
  readonly content: string | Uint8Array
}

/** `never` is assignable to any JSON body of the contract: the caller chose another representation of the reply. */
export function media(
  mediaType: string,
  content: Content,
  headers?: Readonly<Record<string, string>>,
): ReplyWith<200, never> {
  return { status: 200, body: new Media(mediaType, content) as never, ...(headers && { headers }) }
}

/** Replies with a file, a range of it, or 304. */
export const file = (source: FileSource, headers?: Readonly<Record<string, string>>) =>
  media(source.mediaType, source, headers)
