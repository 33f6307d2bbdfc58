import { type Operation, writes } from '@icosa/contract'
import type { FastifyRequest } from 'fastify'
import type { Outgoing } from '../dialect.ts'
import type { ServiceOperation } from '../operations.ts'
import { answerOf } from './reply/respond.ts'
import { isStreamed } from './reply/streamed.ts'

/** An answered request, for observers. */
export interface ObservedExchange {
  readonly requestId: string
  /** `translateText`: operation ID without its service. */
  readonly operation: string
  readonly isWriting: boolean
  readonly contract: Operation
  /** Credential ID. */
  readonly caller: string
  readonly method: string
  /** Without the query, which may contain secrets. */
  readonly path: string
  /** Undecoded, and possibly with secrets. */
  readonly query: string
  readonly traceId: string | undefined
  readonly clientIp: string
  readonly status: number
  readonly durationMs: number
  readonly request: ObservedMessage
  readonly response: ObservedMessage
}

export interface ObservedMessage {
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | number | readonly string[] | undefined>>
  readonly body: string | Uint8Array | undefined
}

/**
 * Must return immediately and never throw. Calling `exchange` assembles the exchange, so observers do so only on
 * demand.
 */
export type RequestObserver = (tenant: string, service: string, exchange: () => ObservedExchange) => void

export function observedExchange(
  request: FastifyRequest,
  { id, operation }: ServiceOperation,
  outgoing: Outgoing,
  durationMs: number,
): ObservedExchange {
  return {
    requestId: request.id,
    operation: id,
    isWriting: writes(operation),
    contract: operation,
    caller: request.caller?.id ?? '',
    method: request.method,
    status: outgoing.status,
    durationMs,
    request: { headers: request.headers, body: request.body instanceof Uint8Array ? request.body : undefined },
    // Computed on demand: few observers read these.
    get path() {
      return request.url.split('?', 1)[0] as string
    },
    get query() {
      return request.url.split('?').slice(1).join('?')
    },
    traceId: request.trace?.traceId,
    get clientIp() {
      return request.ip
    },
    get response() {
      // Streams are not observed.
      if (isStreamed(outgoing)) return { headers: outgoing.headers ?? {}, body: undefined }
      const { headers, content } = answerOf(request.id, outgoing, operation.replyType)
      return { headers, body: outgoing.body === undefined ? undefined : content }
    },
  }
}
