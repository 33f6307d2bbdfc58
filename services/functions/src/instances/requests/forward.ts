import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Dispatcher } from 'undici'
import { headerBytes } from '../instance.ts'
import type { Abort } from './abort.ts'
import { answerHeaders } from './answer-headers.ts'

/** What became of a request that was sent to an instance. */
export type Sent =
  /** `isCrash`: by the framework, for a function that failed and may have taken its process with it. */
  | { readonly is: 'answered'; readonly isCrash?: boolean }
  /** It was answered in part, and the caller sees that. */
  | { readonly is: 'cut' }
  /** Nothing of it reached the instance: it can be sent to another one. */
  | { readonly is: 'unsent' }
  /** There is no answer, and will not be one. */
  | { readonly is: 'failed'; readonly status: number; readonly message: string }
  /** The connection broke: its instance may know why. */
  | { readonly is: 'broken' }
  /** Whoever asked is gone, or its time was over. */
  | { readonly is: 'aborted' }

const hops = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'proxy-authenticate', 'proxy-authorization', 'te', 'trailer'],
  ...['transfer-encoding', 'upgrade', 'expect', 'http2-settings'],
])

/** Names and values by turns, without those that are for the next hop only, and those that are hidden, in lower case. */
export function passedOn(raw: readonly string[], hidden: readonly string[] = []): string[] {
  const kept: string[] = []
  let named = hidden
  for (let at = 0; at < raw.length; at += 2)
    if (raw[at]?.length === 10 && raw[at]?.toLowerCase() === 'connection') named = [...named, ...listed(raw[at + 1])]
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at] as string
    const lower = name.toLowerCase()
    if (!hops.has(lower) && !named.includes(lower)) kept.push(name, raw[at + 1] as string)
  }
  return kept
}

const listed = (value = '') => value.split(',').map((name) => name.trim().toLowerCase())

export interface Forwarded {
  readonly path: string
  readonly headers: string[]
  /** Whether the response is shown on the platform's own host. */
  readonly isSandboxed: boolean
}

/** Which the framework adds. */
const crashHeader = 'x-google-status'

const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'

/** Sends a request to an instance and its answer back, both as they come. */
export function forward(
  pool: Dispatcher,
  request: IncomingMessage,
  reply: ServerResponse,
  { path, headers, isSandboxed }: Forwarded,
  abort: Abort,
): Promise<Sent> {
  return new Promise((resolve) => {
    let isSent = false
    let isCrash = false
    let control: Dispatcher.DispatchController | undefined
    const stop = () => control?.abort(new Error('aborted'))
    const ownHeaders = reply.getHeaderNames()
    /** Whatever cannot be passed on ends the request: an error that is thrown into undici would leave its caller waiting. */
    const passing = (pass: () => void) => {
      try {
        pass()
      } catch (error) {
        settle(unpassable(reply, ownHeaders, error as Error))
        stop()
      }
    }
    const settle = (sent: Sent) => {
      abort.onAbort = undefined
      reply.off('drain', resume)
      resolve(sent)
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
        // Its reason phrase is dropped: nothing reads it, and Node refuses bytes in it that HTTP allows.
        onResponseStart({ rawHeaders }, status) {
          if (status < 200) return
          const headers = answerHeaders(passedOn(texts(rawHeaders as Buffer[])), isSandboxed)
          isCrash = status === 500 && headers.some((text) => text.toLowerCase() === crashHeader)
          passing(() => reply.writeHead(status, headers))
          // What comes later than its head is not to wait for it: events of a stream, say.
          setImmediate(() => {
            if (!reply.writableEnded && !reply.destroyed) reply.flushHeaders()
          })
        },
        onResponseData(controller, chunk) {
          passing(() => {
            if (!reply.write(chunk)) controller.pause()
          })
        },
        onResponseEnd() {
          passing(() => reply.end())
          settle({ is: 'answered', isCrash })
        },
        onResponseError(_, error) {
          if (abort.reason !== undefined) return settle({ is: 'aborted' })
          if (!isSent) return settle({ is: 'unsent' })
          if (reply.headersSent) {
            reply.destroy() // whoever reads must not take this for the end
            return settle({ is: 'cut' })
          }
          settle(outcome(error))
        },
      },
    )
  })
}

/** Leaves the reply as it was before, so that another answer can be given, or breaks it off if its head was sent. */
function unpassable(reply: ServerResponse, ownHeaders: readonly string[], error: Error): Sent {
  if (reply.headersSent) {
    reply.destroy()
    return { is: 'cut' }
  }
  for (const name of reply.getHeaderNames()) if (!ownHeaders.includes(name)) reply.removeHeader(name)
  return failed(`What the function answered cannot be passed on: ${error.message}`)
}

const texts = (raw: readonly (Buffer | string)[]) =>
  raw.map((part) => (typeof part === 'string' ? part : part.toString('latin1')))

/** What the function sent that is no answer; and else, that the connection is gone. */
export function outcome(error: Error & { readonly code?: string }): Sent {
  if (error.code === 'UND_ERR_HEADERS_OVERFLOW')
    return failed(`The function answered with more than ${headerBytes} bytes of headers.`)
  if (error.name === 'HTTPParserError' || error.code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH')
    return failed(`What the function answered is not HTTP: ${error.message}`)
  if (error.code === 'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH')
    return { is: 'failed', status: 400, message: 'The body is not as long as its Content-Length says.' }
  return { is: 'broken' }
}

const failed = (message: string): Sent => ({ is: 'failed', status: 502, message })
