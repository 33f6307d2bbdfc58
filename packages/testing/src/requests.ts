import { type Parts, request, type Target } from '@icosa/client'
import { bodyKind, type Operation, paramNames } from '@icosa/contract'
import { signedFetch } from '@icosa/dialects/signed/fetch'
import {
  type Api,
  closed,
  type Detail,
  lazyValidator,
  replyChecker,
  type Service,
  type ServiceOperation,
} from '@icosa/kernel'
import type { TestApp } from './app.ts'
import { type Known, someBytes } from './arbitrary.ts'

/** Creates rows of one tenant; returns their ids by the names of the path parameters. */
export type Seed = (owner: Target, app: TestApp) => Promise<Known>

/** Credentials of a tenant for an API of a service (default: the first), with all permissions by default. */
export async function credentialsFor(
  app: TestApp,
  service: Service,
  tenant: string,
  permissions?: readonly string[],
  { dialect: { authentication } }: Api = service.apis[0],
): Promise<Target> {
  const baseUrl = `${app.url}/${service.name}`
  switch (authentication.kind) {
    case 'none':
      return { baseUrl }
    case 'key':
      return { baseUrl, headers: { [authentication.header]: await app.key(tenant, permissions) } }
    case 'bearer':
      return { baseUrl, headers: { authorization: `Bearer ${await app.key(tenant, permissions)}` } }
    case 'basic':
      return { baseUrl, headers: { authorization: basic(tenant, await app.key(tenant, permissions)) } }
    case 'signature':
      return { baseUrl, fetch: signedFetch({ ...authentication, ...(await app.signingSecret(tenant, permissions)) }) }
  }
}

export const basic = (user: string, key: string) => `Basic ${Buffer.from(`${user}:${key}`).toString('base64')}`

export interface Answer {
  readonly status: number
  readonly body: unknown
  /** Differences from the contract. */
  readonly wrong: readonly string[]
}

/** Sends a request and checks the response against the contract's replies, or the dialect's error. */
export async function ask({ operation }: ServiceOperation, target: Target, parts: Parts): Promise<Answer> {
  const response = await request(operation, target, parts)
  const { status } = response
  const isJson = /^application\/([\w.+-]+\+)?json/.test(response.headers.get('content-type') ?? '')
  const isPlain = status >= 400 && response.headers.get('content-type')?.startsWith('text/plain')
  const text = await response.text()
  const body = text === '' ? undefined : isJson ? JSON.parse(text) : isPlain ? text : 'bytes'
  const details = checkerOf(operation)(status, body)
  // Content that a browser would render must not run in our origin.
  const isOpen = status < 300 && body === 'bytes' && !response.headers.has('content-security-policy')
  const wrong = details.map(({ at, message }) => `${at} ${message}`)
  return { status, body, wrong: isOpen ? [...wrong, 'headers/content-security-policy is missing'] : wrong }
}

type Checker = (status: number, body: unknown) => readonly Detail[]

const checkers = new WeakMap<Operation, Checker>()

/** Checks responses of an operation. Cached, since compiling its schemas takes longer than a request. */
function checkerOf(operation: Operation): Checker {
  const cached = checkers.get(operation)
  if (cached) return cached
  const { method, dialect } = operation
  const checkReply = replyChecker(operation)
  const checkError = lazyValidator(closed(dialect.error), 'reply')
  const check: Checker = (status, body) => {
    if (status < 400) return checkReply(status, body)
    return method === 'HEAD' ? [] : checkError(body) // the answer to a HEAD has no body
  }
  checkers.set(operation, check)
  return check
}

/** A request with some value everywhere, for authorization tests. */
export function anyRequest({ operation }: ServiceOperation, known: Known): Parts {
  const params = Object.fromEntries(paramNames(operation.path).map((name) => [name, known[name] ?? 'unknown']))
  return { params, ...(operation.body && { body: bodyKind(operation.body) ? someBytes(operation.body) : {} }) }
}
