import type { Contract, Input, Reply, ReplyWith, StartedOperation } from '@icosa/contract'
import type { Context } from './context.ts'
import type { Exchange } from './service.ts'

/** One function per operation. A forgotten one does not compile. */
export type Handlers<C extends Contract> = {
  readonly [Name in keyof C]:
    | Engine
    | ((input: Input<C[Name]>, context: Context) => Promise<Reply<C[Name]>>)
    | Prepared<Input<C[Name]>, Reply<C[Name]>>
}

/** What a handler can reach before its transaction: the database, too, but only to read. */
export type Preparation = Omit<Context, 'jobs' | 'operations'>

/** A handler in two parts: the first answers the second, which runs in the transaction. */
export class Prepared<In, Out> {
  readonly prepare: (input: In, context: Preparation) => Promise<(context: Context) => Promise<Out>>

  constructor(prepare: Prepared<In, Out>['prepare']) {
    this.prepare = prepare
  }
}

/**
 * A handler that needs something from outside the database: a process, a file, another server. `prepare` runs first,
 * while no transaction is open and no connection is held; `handle` gets what it found.
 */
export function before<In, Found, Out>(
  prepare: (input: NoInfer<In>, context: Preparation) => Promise<Found>,
  handle: (input: In, context: Context, found: Found) => Promise<Out>,
): Prepared<In, Out> {
  return new Prepared(async (input, context) => {
    const found = await prepare(input, context)
    return (inside) => handle(input, inside, found)
  })
}

/** Answers an operation itself: a protocol library that does its own reading, checking and writing. */
export class Engine {
  readonly serve: (exchange: Exchange) => Promise<void>

  constructor(serve: (exchange: Exchange) => Promise<void>) {
    this.serve = serve
  }
}

export type Handler = (input: unknown, context: Context) => Promise<ReplyWith<number, unknown>>

export type AnyPrepared = Prepared<unknown, ReplyWith<number, unknown>>

/** A contract with its handlers; their types were checked where they met. */
export interface Resource {
  readonly contract: Contract
  readonly handlers: Readonly<Record<string, Handler | AnyPrepared | Engine>>
}

export function implement<C extends Contract>(contract: C, handlers: Handlers<C>): Resource {
  return { contract, handlers: handlers as unknown as Resource['handlers'] }
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
export const noContent = (): ReplyWith<204, undefined> => ({ status: 204, body: undefined })

export function accepted<B>(body: B, operation: StartedOperation): ReplyWith<202, B> {
  return { status: 202, body, operation }
}

/** A body in another media type than JSON; the contract lists it under `media`. */
export class Media {
  readonly mediaType: string
  readonly content: string | Uint8Array

  constructor(mediaType: string, content: string | Uint8Array) {
    this.mediaType = mediaType
    this.content = content
  }
}

/** `never` fits wherever the contract has a JSON body: the caller chose another form of the same reply. */
export function media(
  mediaType: string,
  content: string | Uint8Array,
  headers?: Readonly<Record<string, string>>,
): ReplyWith<200, never> {
  return { status: 200, body: new Media(mediaType, content) as never, ...(headers && { headers }) }
}
