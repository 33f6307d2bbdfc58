import type { Readable } from 'node:stream'
import type { Contract, Input, ReadingOperation, Reply, ReplyWith, StartedOperation } from '@icosa/contract'
import type { Context, ReadingContext } from './context.ts'
import type { FileSource } from './http/reply/file.ts'
import type { Exchange } from './service.ts'

/** One function per operation. A forgotten one does not compile. */
export type Handlers<C extends Contract, Held = unknown> = {
  readonly [Name in keyof C]:
    | Engine<Held>
    | ((input: Input<C[Name]>, context: ContextOf<C[Name], Held>) => Promise<Reply<C[Name]>>)
    // One that only reads holds no connection: nothing has to come before it.
    | (C[Name] extends ReadingOperation ? never : Prepared<Input<C[Name]>, Reply<C[Name]>, Held>)
}

/** What the handler of an operation can reach: nothing to write with, where the operation only reads. */
export type ContextOf<O, Held = unknown> = O extends ReadingOperation ? ReadingContext<Held> : Context<Held>

/** What a handler can reach before its transaction: the database, too, but only to read. */
export type Preparation<Held = unknown> = Omit<ReadingContext<Held>, 'operations'>

/** A handler in two parts: the first answers the second, which runs in the transaction. */
export class Prepared<In, Out, Held = unknown> {
  readonly prepare: (input: In, context: Preparation<Held>) => Promise<(context: Context<Held>) => Promise<Out>>

  constructor(prepare: Prepared<In, Out, Held>['prepare']) {
    this.prepare = prepare
  }
}

/**
 * A handler that needs something from outside the database: a process, a file, another server. `prepare` runs first,
 * while no transaction is open and no connection is held; `handle` gets what it found.
 */
export function before<In, Found, Out, Held = unknown>(
  prepare: (input: NoInfer<In>, context: Preparation<NoInfer<Held>>) => Promise<Found>,
  handle: (input: In, context: Context<Held>, found: Found) => Promise<Out>,
): Prepared<In, Out, Held> {
  return new Prepared(async (input, context) => {
    const found = await prepare(input, context)
    return (inside) => handle(input, inside, found)
  })
}

/** Answers an operation itself: a protocol library that does its own reading, checking and writing. */
export class Engine<Held = unknown> {
  readonly serve: (exchange: Exchange<Held>) => Promise<void>

  constructor(serve: (exchange: Exchange<Held>) => Promise<void>) {
    this.serve = serve
  }
}

export type Handler<Held = unknown> = (input: unknown, context: Context<Held>) => Promise<ReplyWith<number, unknown>>

export type AnyPrepared<Held = unknown> = Prepared<unknown, ReplyWith<number, unknown>, Held>

/** A contract with its handlers; their types were checked where they met. */
export interface Resource<Held = unknown> {
  readonly contract: Contract
  readonly handlers: Readonly<Record<string, Handler<Held> | AnyPrepared<Held> | Engine<Held>>>
}

/** Handlers that need what their service holds say so: `implement<typeof contract, Held>(contract, { ... })`. */
export function implement<C extends Contract, Held = unknown>(
  contract: C,
  handlers: Handlers<C, Held>,
): Resource<Held> {
  return { contract, handlers: handlers as unknown as Resource<Held>['handlers'] }
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
/** The caller has it already, in this state. */
export const notModified = (headers: Readonly<Record<string, string>>): ReplyWith<304, undefined> => ({
  status: 304,
  body: undefined,
  headers,
})
export const noContent = (): ReplyWith<204, undefined> => ({ status: 204, body: undefined })

export function accepted<B>(body: B, operation: StartedOperation): ReplyWith<202, B> {
  return { status: 202, body, operation }
}

/** A file is answered in part where a caller asks for a part; a stream has no length and no parts. */
export type Content = string | Uint8Array | Readable | FileSource

/** A body in another media type than JSON: the contract lists it under `media`, or its reply is a `download`. */
export class Media {
  readonly mediaType: string
  readonly content: Content

  constructor(mediaType: string, content: Content) {
    this.mediaType = mediaType
    this.content = content
  }
}

/** One whose content is there already. */
export interface WholeMedia extends Media {
  readonly content: string | Uint8Array
}

/** `never` fits wherever the contract has a JSON body: the caller chose another form of the same reply. */
export function media(
  mediaType: string,
  content: Content,
  headers?: Readonly<Record<string, string>>,
): ReplyWith<200, never> {
  return { status: 200, body: new Media(mediaType, content) as never, ...(headers && { headers }) }
}

/** A file, whole or in part, or word that it has not changed. */
export const file = (source: FileSource, headers?: Readonly<Record<string, string>>) =>
  media(source.mediaType, source, headers)
