import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Dispatcher } from 'undici'
import { headerBytes } from '../instance.ts'
import type { Abort } from './abort.ts'
import { answerHeaders } from './answer-headers.ts'

/** Result of sending a request to an instance. */
export type ForwardResult =
  /** `isCrash`: the framework answered for a function that threw, and whose process may be exiting. */
  | { readonly kind: 'answered'; readonly isCrash?: boolean }
  /** The response broke off; the caller's connection was closed so that it notices. */
  | { readonly kind: 'truncated' }
  /** Nothing reached the instance: the request can be retried with another one. */
  | { readonly kind: 'unsent' }
  /** The response cannot be forwarded. */
  | { readonly kind: 'failed'; readonly status: number; readonly message: string }
  /** The instance closed the connection before its response; its exit may explain it. */
  | { readonly kind: 'disconnected' }
  /** The caller disconnected, or the request timed out. */
  | { readonly kind: 'aborted' }

const hopByHop = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'proxy-authenticate', 'proxy-authorization', 'te', 'trailer'],
  ...['transfer-encoding', 'upgrade', 'expect', 'http2-settings'],
])

/** Returns alternating names and values without hop-by-hop headers and `hidden` ones, which are lower-case. */
export function endToEndHeaders(raw: readonly string[], hidden: readonly string[] = []): string[] {
  const headers: string[] = []
  let excluded = hidden
  for (let at = 0; at < raw.length; at += 2)
    if (raw[at]?.length === 10 && raw[at]?.toLowerCase() === 'connection')
      excluded = [...excluded, ...namesIn(raw[at + 1])]
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at] as string
    const lower = name.toLowerCase()
    if (!hopByHop.has(lower) && !excluded.includes(lower)) headers.push(name, raw[at + 1] as string)
  }
  return headers
}

const namesIn = (value = '') => value.split(',').map((name) => name.trim().toLowerCase())

export interface Forwarded {
  readonly path: string
  readonly headers: string[]
  /** Whether the response is served from the platform's own origin. */
  readonly isSandboxed: boolean
}

/** Added by the Functions Framework when the function throws. */
const crashHeader = 'x-google-status'

const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'

/** Streams a request to an instance and its response back. */
export function forward(
  pool: Dispatcher,
  request: IncomingMessage,
  reply: ServerResponse,
  { path, headers, isSandboxed }: Forwarded,
  abort: Abort,
): Promise<ForwardResult> {
  return new Promise((resolve) => {
    let isSent = false
    let isCrash = false
    let control: Dispatcher.DispatchController | undefined
    const stop = () => control?.abort(new Error('aborted'))
    const ownHeaders = reply.getHeaderNames()
    /** Ends the request if writing throws: undici would swallow the error and leave the caller waiting. */
    const writing = (write: () => void) => {
      try {
        write()
      } catch (error) {
        settle(undoReply(reply, ownHeaders, error as Error))
        stop()
      }
    }
    const settle = (result: ForwardResult) => {
      abort.onAbort = undefined
      reply.off('drain', resume)
      resolve(result)
    }
    const resume = () => control?.resume()
    reply.on('drain', resume)
    abort.onAbort = stop
    pool.dispatch(
      {
        path,
        method: request.method as Dispatcher.HttpMethod,
        headers,
        body: hasBody(request) ? request : null,
      },
      {
        onRequestStart(controller) {
          isSent = true
          control = controller
          if (abort.reason !== undefined) stop()
        },
        // The reason phrase is dropped: nothing reads it, and Node refuses bytes in it that HTTP allows.
        onResponseStart({ rawHeaders }, status) {
          if (status < 200) return
          const headers = answerHeaders(endToEndHeaders(texts(rawHeaders as Buffer[])), isSandboxed)
          isCrash = status === 500 && headers.some((text) => text.toLowerCase() === crashHeader)
          writing(() => reply.writeHead(status, headers))
          // Sends the head without waiting for the body, such as for server-sent events.
          setImmediate(() => {
            if (!reply.writableEnded && !reply.destroyed) reply.flushHeaders()
          })
        },
        onResponseData(controller, chunk) {
          writing(() => {
            if (!reply.write(chunk)) controller.pause()
          })
        },
        onResponseEnd() {
          writing(() => reply.end())
          settle({ kind: 'answered', isCrash })
        },
        onResponseError(_, error) {
          if (abort.reason !== undefined) return settle({ kind: 'aborted' })
          if (!isSent) return settle({ kind: 'unsent' })
          if (reply.headersSent) {
            reply.destroy() // so that the caller does not mistake this for the end
            return settle({ kind: 'truncated' })
          }
          settle(resultOfError(error))
        },
      },
    )
  })
}

/** Removes the function's headers so that a refusal can be sent, or closes the connection if the head was sent. */
function undoReply(reply: ServerResponse, ownHeaders: readonly string[], error: Error): ForwardResult {
  if (reply.headersSent) {
    reply.destroy()
    return { kind: 'truncated' }
  }
  for (const name of reply.getHeaderNames()) if (!ownHeaders.includes(name)) reply.removeHeader(name)
  return failed(`The response of the function cannot be forwarded: ${error.message}`)
}

const texts = (raw: readonly (Buffer | string)[]) =>
  raw.map((part) => (typeof part === 'string' ? part : part.toString('latin1')))

/** Tells an invalid response or request from a lost connection. */
export function resultOfError(error: Error & { readonly code?: string }): ForwardResult {
  if (error.code === 'UND_ERR_HEADERS_OVERFLOW')
    return failed(`The function returned more than ${headerBytes} bytes of headers.`)
  if (error.name === 'HTTPParserError' || error.code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH')
    return failed(`The response of the function is not HTTP: ${error.message}`)
  if (error.code === 'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH')
    return { kind: 'failed', status: 400, message: 'The body is not as long as its Content-Length says.' }
  return { kind: 'disconnected' }
}

const failed = (message: string): ForwardResult => ({ kind: 'failed', status: 502, message })
