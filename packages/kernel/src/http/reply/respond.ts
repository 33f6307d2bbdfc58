import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Outgoing } from '../../dialect.ts'
import { Media, type WholeMedia } from '../../implement.ts'
import { hasBody } from '../body/slow-bodies.ts'
import { limits } from '../limits.ts'
import { sandboxOf } from './file.ts'

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | number>>
  readonly content: string | Uint8Array
}

/** Status, headers and content of a reply that is not streamed. */
export function answerOf(
  requestId: string,
  { status, headers, body, mediaType: json }: Outgoing,
  replyType?: string,
): Answer {
  const { mediaType, content } = body instanceof Media ? (body as WholeMedia) : jsonOf(body, json ?? replyType)
  const policy = body instanceof Media ? sandboxOf(body.mediaType) : {}
  const all: Record<string, string | number> = { 'x-request-id': requestId, ...policy, ...headers }
  if (mediaType !== undefined) all['content-type'] = mediaType
  if (status !== 204 && status !== 304) all['content-length'] = Buffer.byteLength(content)
  return { status, headers: all, content }
}

const jsonOf = (body: unknown, type = 'application/json') =>
  body === undefined
    ? { mediaType: undefined, content: '' }
    : { mediaType: `${type}; charset=utf-8`, content: JSON.stringify(body) }

/** Writes a reply. Does not wait for the rest of an unread request body. */
export function respond(request: IncomingMessage, response: ServerResponse, answer: Answer): void {
  const { status, headers, content } = answer
  if (!isUnread(request)) response.writeHead(status, headers).end(content)
  // Bytes that arrived with the headers are read in this turn; only then is it known whether more are to come.
  else setImmediate(() => (isUnread(request) ? hangUp : respond)(request, response, answer))
}

const isUnread = (request: IncomingMessage) => !request.complete && hasBody(request)

/**
 * Discards further input for a moment, then closes the connection. Otherwise the caller could keep it open at will and
 * delay a graceful shutdown.
 */
function hangUp(request: IncomingMessage, response: ServerResponse, { status, headers, content }: Answer): void {
  response.writeHead(status, { ...headers, connection: 'close' })
  response.flushHeaders()
  response.write(content) // complete by its length: the caller need not wait for the connection to close
  request.resume()
  const timer = setTimeout(end, limits.lingerMs).unref()
  function end(): void {
    clearTimeout(timer)
    response.end()
  }
  request.once('end', end)
}
