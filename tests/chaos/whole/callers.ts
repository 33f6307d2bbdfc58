import { setTimeout as sleep } from 'node:timers/promises'
import { signedFetch } from '@icosa/dialects/signed/fetch'
import type { Node } from './cell.ts'

/** Whether a client may retry the request: a dialect without a 503 returns 500 with `Retry-After`. */
const isTemporary = ({ status, headers }: Response) =>
  [429, 502, 503, 504, 507].includes(status) || (status >= 500 && headers.has('retry-after'))

export interface Request {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Other statuses that count as success, for requests that are retried. */
  readonly accept?: readonly number[]
}

export interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: twenty services answer, and each journey knows its own shape
  readonly body: any
}

export class Refused extends Error {}

/** One attempt at one API node; a temporary failure is an error, for the caller to retry. */
export type Call = (method: string, path: string, request?: Request) => Promise<Answer>

export interface Credentials {
  readonly key: string
  readonly id: string
  readonly secret: string
}

export interface Callers {
  readonly plain: Call
  readonly key: string
  /** By Signature Version 4, under the service's signing name. */
  signed(service: string): Call
}

export function callersOf(nodes: readonly Node[], { key, id, secret }: Credentials): Callers {
  const apis = nodes.filter(({ role }) => role === 'serve')
  let turn = 0

  const through =
    (send: typeof fetch, own: Readonly<Record<string, string>>): Call =>
    async (method, path, { body, headers = {}, accept = [] } = {}) => {
      const { url = '' } = apis[turn++ % apis.length] ?? {}
      const isRaw = body === undefined || body instanceof Uint8Array || body instanceof FormData
      const reply = await send(`${url}${path}`, {
        method,
        headers: { ...own, ...(!isRaw && { 'content-type': 'application/json' }), ...headers },
        ...(body !== undefined && {
          body: isRaw ? (body as Uint8Array<ArrayBuffer> | FormData) : JSON.stringify(body),
        }),
        signal: AbortSignal.timeout(40_000),
      })
      const text = await reply.text()
      const answer = { status: reply.status, body: parsed(text) }
      if (reply.ok || accept.includes(reply.status)) return answer
      const message = `${method} ${path} ${reply.status} ${text.slice(0, 300)}`
      throw isTemporary(reply) ? new Error(message) : new Refused(message)
    }

  return {
    key,
    plain: through(fetch, {
      authorization: `Bearer ${key}`,
      'x-vendor-api-secret': key,
      'x-vendor-api-key': key,
      'x-api-key': key,
      'vendor-subscription-key': key,
      'x-vendor-client-authentication': key,
    }),
    signed: (service) => through(signedFetch({ id, secret, region: 'us-east-1', service }), {}),
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Polls until `find` returns a truthy value. */
export async function until<T>(find: () => Promise<T | undefined | false>, timeoutMs = 60_000): Promise<T> {
  const isOver = AbortSignal.timeout(timeoutMs)
  let last: unknown
  while (!isOver.aborted) {
    const value = await find().catch((error: unknown) => {
      if (error instanceof Refused) throw error
      last = error
      return undefined
    })
    if (value !== undefined && value !== false) return value
    await sleep(250)
  }
  throw new Error('It did not come about in time.', { cause: last })
}
