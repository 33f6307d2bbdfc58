import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type Opened, openInstance } from '../../apps/server/src/testkit/start.ts'
import type { ServiceName } from '../../apps/server/src/testkit/types.ts'

/** A complete response. `json` is undefined if the body is not JSON. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly bytes: Buffer
  // biome-ignore lint/suspicious/noExplicitAny: a statement reads the fields it is about, and fails if they are missing
  readonly json: any
}

export interface Request {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: unknown
  readonly form?: Readonly<Record<string, string>>
  readonly body?: RequestInit['body']
}

export type Caller = (
  method: string,
  path: string,
  json?: unknown,
  headers?: Readonly<Record<string, string>>,
) => Promise<Answer>

/** A running node, and the functions by which statements check it. */
export interface Node {
  readonly url: string
  readonly instance: Opened
  /** Log lines. */
  readonly lines: readonly string[]
  call(path: string, request?: Request): Promise<Answer>
  /** Calls an API of a service with the credential or signature that it requires. */
  caller(service: ServiceName, api?: string): Caller
  /** Records a statement of the specification. `seen` is shown if it does not hold. */
  holds(statement: string, holds: unknown, seen?: unknown): void
  /** Records a statement about an unsupported feature: a 501 that names it. */
  unbuilt(statement: string, answer: Answer, name: string): void
}

function nodeOf(instance: Opened, lines: readonly string[], counted: Counted): Node {
  const { url } = instance.app
  const broken = (statement: string, seen: unknown) =>
    counted.broken.push(`${statement}: ${JSON.stringify(seen)?.slice(0, 600)}`)
  return {
    url,
    instance,
    lines,
    async call(path, { json, form, body, ...rest } = {}) {
      const headers = new Headers(rest.headers)
      if (json !== undefined) headers.set('content-type', 'application/json')
      const sent = json === undefined ? (form && new URLSearchParams(form)) || body : JSON.stringify(json)
      const at = path.startsWith('http') ? path : url + path
      const init = { ...rest, headers, redirect: 'manual' as const, ...(sent !== undefined && { body: sent }) }
      return read(await fetch(at, init))
    },
    caller(service, api) {
      const endpoint = instance.app.service(service, api)
      return async (method, path, json, headers = {}) =>
        read(await endpoint.fetch(path, { method, headers, ...(json !== undefined && { body: JSON.stringify(json) }) }))
    },
    holds(statement, holds, seen) {
      if (holds) counted.hold++
      else broken(statement, seen)
    },
    unbuilt(statement, { status, text }, name) {
      if (status === 501 && text.includes(name)) counted.unbuilt++
      else broken(statement, [status, text])
    },
  }
}

interface Counted {
  hold: number
  unbuilt: number
  readonly broken: string[]
}

async function read(answer: Response): Promise<Answer> {
  const bytes = Buffer.from(await answer.arrayBuffer())
  const text = bytes.toString()
  return { status: answer.status, headers: answer.headers, bytes, text, json: parsed(text) }
}

/** Polls until `ask` returns a value, for at most a minute. */
export async function until<T>(ask: () => Promise<T | undefined | false>): Promise<T | undefined> {
  for (const over = AbortSignal.timeout(60_000); !over.aborted; await sleep(100)) {
    const found = await ask()
    if (found) return found
  }
  return undefined
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Checks the statements about a service on a running node, and reports how many hold. */
export function statementsOf(
  letter: string,
  services: readonly ServiceName[],
  ask: (node: Node) => Promise<void>,
  env: Readonly<Record<string, string>> = {},
): void {
  test.skipIf(!process.env.NIGHTLY)(
    `${letter}: every statement of the specification holds, or is 501 by its name`,
    async () => {
      const counted: Counted = { hold: 0, unbuilt: 0, broken: [] }
      const lines: string[] = []
      const instance = await openInstance({ services, env, log: (line) => lines.push(line) })
      await ask(nodeOf(instance, lines, counted)).finally(() => instance.app.close())
      const { hold, unbuilt, broken } = counted
      console.log(`${letter}: ${hold} hold, ${unbuilt} are 501 by name, ${broken.length} do not hold`)
      expect(broken).toEqual([])
    },
  )
}
