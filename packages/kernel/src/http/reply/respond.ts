import type { IncomingMessage, ServerResponse } from 'node:http'
import { Media, type WholeMedia } from '../../implement.ts'
import type { Outgoing } from '../../service.ts'
import { hasBody } from '../body/slow-bodies.ts'
import { limits } from '../limits.ts'
import { sandboxOf } from './file.ts'

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | number>>
  readonly content: string | Uint8Array
}

/** The head and content of a reply as they are sent, but for what is streamed. */
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

/** Writes an answer. If the request's body was not read and has not all come, nobody waits for the rest of it. */
export function respond(request: IncomingMessage, response: ServerResponse, answer: Answer): void {
  const { status, headers, content } = answer
  if (!isUnread(request)) response.writeHead(status, headers).end(content)
  // What came together with the head is read within this turn: only then it is known whether there is more to come.
  else setImmediate(() => (isUnread(request) ? hangUp : respond)(request, response, answer))
}

const isUnread = (request: IncomingMessage) => !request.complete && hasBody(request)

/**
 * What still comes is thrown away for a moment; then the connection ends. It would otherwise stay open for as long as
 * the caller likes, and hold up a node that stops.
 */
function hangUp(request: IncomingMessage, response: ServerResponse, { status, headers, content }: Answer): void {
  response.writeHead(status, { ...headers, connection: 'close' })
  response.flushHeaders()
  response.write(content) // all of it, by its length: the caller need not wait for the end of the connection
  request.resume()
  const timer = setTimeout(end, limits.lingerMs).unref()
  function end(): void {
    clearTimeout(timer)
    response.end()
  }
  request.once('end', end)
}
