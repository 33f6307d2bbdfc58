import { writes } from '@icosa/contract'
import type { FastifyRequest } from 'fastify'
import type { Outgoing, ServiceOperation } from '../service.ts'
import { answerOf } from './reply/respond.ts'
import { isStreamed } from './reply/streamed.ts'

/** A request that has been answered, as the platform shows it. */
export interface ObservedExchange {
  readonly requestId: string
  /** `translateText`: the operation's id without its service. */
  readonly operation: string
  /** Whether it is an operation that changes something. */
  readonly isWriting: boolean
  /** The id of the credential that made it. */
  readonly caller: string
  readonly method: string
  /** Without the query, which may hold what a log should not. */
  readonly path: string
  readonly clientIp: string
  readonly status: number
  readonly durationMs: number
  readonly request: ObservedMessage
  readonly response: ObservedMessage
}

export interface ObservedMessage {
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string | number | readonly string[] | undefined>>
  readonly body: string | Uint8Array | undefined
}

/**
 * Must return at once and never throw; `exchange` is called only if somebody wants to know, so it does the work of
 * putting the exchange together.
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
    caller: request.caller?.id ?? '',
    method: request.method,
    status: outgoing.status,
    durationMs,
    request: { headers: request.headers, body: request.body instanceof Uint8Array ? request.body : undefined },
    // Few observers look at these, and they take a while to make.
    get path() {
      return request.url.split('?', 1)[0] as string
    },
    get clientIp() {
      return request.ip
    },
    get response() {
      // What passes as a stream is not there to be looked at.
      if (isStreamed(outgoing)) return { headers: outgoing.headers ?? {}, body: undefined }
      const { headers, content } = answerOf(request.id, outgoing, operation.replyType)
      return { headers, body: outgoing.body === undefined ? undefined : content }
    },
  }
}
