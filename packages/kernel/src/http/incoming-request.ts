import type { FastifyRequest } from 'fastify'
import type { Incoming } from '../dialect.ts'
import type { AddressOf } from './connection/addresses.ts'
import type { Route } from './route/route.ts'

/** A request as its dialect sees it. The URL is parsed on demand. */
export class IncomingRequest implements Incoming {
  readonly #request: FastifyRequest
  readonly #addressOf: AddressOf
  readonly #paramsOf: Route['params'] | undefined
  #url: URL | undefined

  constructor(request: FastifyRequest, addressOf: AddressOf, paramsOf: Route['params'] | undefined) {
    this.#request = request
    this.#addressOf = addressOf
    this.#paramsOf = paramsOf
  }

  get id() {
    return this.#request.id
  }

  get method() {
    return this.#request.method
  }

  get target() {
    return this.#request.originalUrl
  }

  get params() {
    return this.#paramsOf?.(this.#request.params as Record<string, string>) ?? {}
  }

  get rawHeaders() {
    return this.#request.raw.rawHeaders
  }

  get body() {
    return this.#request.body instanceof Uint8Array ? this.#request.body : undefined
  }

  get headers() {
    return this.#request.headers
  }

  get ip() {
    return this.#request.ip
  }

  get url() {
    this.#url ??= this.#addressOf(this.#request)
    return this.#url
  }
}
