import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Fleet } from '../fleet/fleet.ts'
import { Abort } from './abort.ts'
import { endToEndHeaders, forward } from './forward.ts'
import { invoke } from './invoke.ts'
import type { Refusal } from './refusal.ts'

export interface Call {
  /** Path and query as the function sees them. */
  readonly path: string
  /** Invocation id, which log lines carry. */
  readonly id: string
  /** Headers that the function must not see, such as a token of the platform. */
  readonly hidden?: readonly string[]
  /** Whether the response is served from the platform's own origin. */
  readonly isSandboxed?: boolean
  /** Trace context headers, which replace those of the caller. */
  readonly trace?: Readonly<Record<string, string | undefined>>
}

/** Reverse proxy: forwards a request to an instance, and responds with a refusal if none answers. */
export async function serve(
  fleet: Fleet,
  request: IncomingMessage,
  reply: ServerResponse,
  { path, id, hidden = [], isSandboxed = false, trace = {} }: Call,
): Promise<void> {
  const abort = new Abort()
  const onClose = () => {
    if (!reply.writableFinished) abort.abort('caller')
  }
  reply.on('close', onClose)
  const headers = endToEndHeaders(request.rawHeaders, [...platformHeaders, ...Object.keys(trace), ...hidden])
  for (const [name, value] of Object.entries(trace)) if (value !== undefined) headers.push(name, value)
  headers.push('Function-Execution-Id', id, ...forwardedHeaders(request))
  try {
    const refusal = await invoke(fleet, id, abort, ({ pool }) =>
      forward(pool, request, reply, { path, headers, isSandboxed }, abort),
    )
    if (refusal) sendRefusal(request, reply, refusal)
  } finally {
    reply.off('close', onClose)
  }
}

/** Headers that only the platform may set. */
const platformHeaders = ['function-execution-id', 'x-forwarded-for', 'x-forwarded-proto']

/** De facto standard headers with the caller's address and protocol. */
function forwardedHeaders({ socket, headers }: IncomingMessage): string[] {
  const previous = headers['x-forwarded-for']
  const address = socket.remoteAddress ?? ''
  const proto = headers['x-forwarded-proto'] ?? ('encrypted' in socket ? 'https' : 'http')
  return [
    'X-Forwarded-For',
    previous === undefined ? address : `${previous}, ${address}`,
    'X-Forwarded-Proto',
    String(proto),
  ]
}

function sendRefusal(request: IncomingMessage, reply: ServerResponse, { status, message }: Refusal): void {
  if (reply.headersSent || reply.destroyed) return void reply.destroy()
  const text = `${message}\n`
  reply.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    ...(status === 429 || status === 503 ? { 'retry-after': '1' } : {}),
    // The unread rest of the body would be parsed as the next request.
    ...(request.complete ? {} : { connection: 'close' }),
  })
  reply.end(text)
}
