import type { Parts, Target } from '@icosa/client'
import { type Operation, paramNames } from '@icosa/contract'
import { propertiesOf } from './fields.ts'

/** A request of a seed, known to be valid. */
export interface Recorded {
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly headers: Headers
  readonly body: unknown
}

/** Returns a `fetch` that records requests with a body. */
export function recording({ baseUrl, fetch: send = fetch }: Target, recorded: Recorded[]): typeof fetch {
  return async (input, init) => {
    const url = new URL(String(input))
    const body = bodyOf(init?.body)
    if (body !== undefined)
      recorded.push({
        method: init?.method ?? 'GET',
        path: url.pathname.slice(new URL(baseUrl).pathname.length),
        query: Object.fromEntries(url.searchParams),
        headers: new Headers(init?.headers),
        body,
      })
    return send(input, init)
  }
}

function bodyOf(sent: RequestInit['body']): unknown {
  if (sent instanceof URLSearchParams) return Object.fromEntries(sent)
  return typeof sent === 'string' ? JSON.parse(sent) : undefined
}

/** The parts of a request, if it was made to this operation. */
export function partsOf({ method, path, headers }: Operation, recorded: Recorded): Parts | undefined {
  const template = path.replace(/[^{}]+(?=\{|$)/g, RegExp.escape).replace(/\{[\w-]+\}/g, '([^/]+)')
  const match = recorded.method === method ? new RegExp(`^${template}$`, 'i').exec(recorded.path) : null
  if (!match) return undefined
  const params = Object.fromEntries(
    paramNames(path).map((name, nth) => [name, decodeURIComponent(match[nth + 1] as string)]),
  )
  const named = Object.keys(propertiesOf(headers)).flatMap((name) => {
    const value = recorded.headers.get(name)
    return value === null ? [] : [[name, value] as const]
  })
  return { params, query: recorded.query, headers: Object.fromEntries(named), body: recorded.body }
}
