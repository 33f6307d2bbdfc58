import type { ServerResponse } from 'node:http'
import { Failure } from '@icosa/kernel'

interface RefusalOptions extends ErrorOptions {
  /** Whether the cell closed a kept connection, perhaps before it read the request. */
  readonly isStale?: boolean
}

/** An answer of the router itself. */
export class Refusal extends Error {
  readonly status: number
  readonly isStale: boolean

  constructor(status: 400 | 502 | 503, message: string, { isStale = false, ...options }: RefusalOptions = {}) {
    super(message, options)
    this.status = status
    this.isStale = isStale
  }
}

export function refuse(response: ServerResponse, error: unknown): void {
  if (response.headersSent) return void response.destroy()
  const refusal = asRefusal(error)
  const body = JSON.stringify({ error: refusal.message })
  response.sendDate = true
  response.writeHead(refusal.status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    ...(refusal.status === 503 && { 'retry-after': '1' }),
    ...(refusal.status === 400 && { connection: 'close' }),
  })
  response.end(body)
}

function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (error instanceof Failure) return new Refusal(400, error.message)
  return new Refusal(502, 'The router failed to pass the request on. Send it again.', { cause: error })
}
