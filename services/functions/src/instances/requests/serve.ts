import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Fleet } from '../fleet.ts'
import { Abort } from './abort.ts'
import { ask } from './ask.ts'
import { forward, passedOn } from './forward.ts'
import type { Refusal } from './refusal.ts'

export interface Call {
  /** With its query, as the function is to see it. */
  readonly path: string
  /** Of this invocation, in the log. */
  readonly id: string
  /** Headers that are none of the function's business, such as a token of the platform's. */
  readonly hidden?: readonly string[]
  /** Whether the response is shown on the platform's own host. */
  readonly isSandboxed?: boolean
  /** Of which it is a part, instead of what its caller said. */
  readonly trace?: Readonly<Record<string, string | undefined>>
}

/** Answers a request by an instance, and says itself what is wrong where no instance answers. */
export async function serve(
  fleet: Fleet,
  request: IncomingMessage,
  reply: ServerResponse,
  { path, id, hidden = [], isSandboxed = false, trace = {} }: Call,
): Promise<void> {
  const abort = new Abort()
  const gone = () => {
    if (!reply.writableFinished) abort.abort('caller')
  }
  reply.on('close', gone)
  const headers = passedOn(request.rawHeaders, [...ours, ...Object.keys(trace), ...hidden])
  for (const [name, value] of Object.entries(trace)) if (value !== undefined) headers.push(name, value)
  headers.push('Function-Execution-Id', id, ...forwarded(request))
  try {
    const refusal = await ask(fleet, id, abort, ({ pool }) =>
      forward(pool, request, reply, { path, headers, isSandboxed }, abort),
    )
    if (refusal) say(request, reply, refusal)
  } finally {
    reply.off('close', gone)
  }
}

/** What only the platform says. */
const ours = ['function-execution-id', 'x-forwarded-for', 'x-forwarded-proto']

/** Who asked, as proxies say it. */
function forwarded({ socket, headers }: IncomingMessage): string[] {
  const before = headers['x-forwarded-for']
  const own = socket.remoteAddress ?? ''
  const proto = headers['x-forwarded-proto'] ?? ('encrypted' in socket ? 'https' : 'http')
  return ['X-Forwarded-For', before === undefined ? own : `${before}, ${own}`, 'X-Forwarded-Proto', String(proto)]
}

function say(request: IncomingMessage, reply: ServerResponse, { status, message }: Refusal): void {
  if (reply.headersSent || reply.destroyed) return void reply.destroy()
  const text = `${message}\n`
  reply.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    ...(status === 429 || status === 503 ? { 'retry-after': '1' } : {}),
    // The rest of its body would be taken for the next request, or be read for nothing.
    ...(request.complete ? {} : { connection: 'close' }),
  })
  reply.end(text)
}
