import { Provider } from 'oidc-provider'
import type { StoredCode } from './store.ts'

/**
 * The library exchanges a code in six steps, each with a query. To save queries, the one for the code also reads its grant and
 * whether its user is active, and the statement that stores the access token also consumes the code. State between the steps
 * is kept here, for the duration of the request.
 */
interface Exchange {
  readonly code: StoredCode
  /** The code's key, between the library's call to consume it and the statement that does. */
  pending?: string | undefined
}

const byRequest = new WeakMap<object, Exchange>()
const current = () => Provider.ctx && byRequest.get(Provider.ctx)

export function startExchange(code: StoredCode): void {
  if (Provider.ctx) byRequest.set(Provider.ctx, { code })
}

export function grantInExchange(id: string): Record<string, unknown> | undefined {
  const code = current()?.code
  return code?.grantId === id ? (code.grant ?? undefined) : undefined
}

/** Whether the user exists and is not disabled; undefined if not prefetched. */
export function isActiveInExchange(accountId: string): boolean | undefined {
  const code = current()?.code
  return code?.accountId === accountId ? code.isAccountActive : undefined
}

/** Defers consuming the code to the statement that stores the token; false outside an exchange. */
export function deferConsumption(codeKey: string): boolean {
  const exchange = current()
  if (exchange) exchange.pending = codeKey
  return exchange !== undefined
}

/** Returns the key of the code to consume, if any, and the grant that a replay revokes. */
export function takeDeferred(request: object | undefined = Provider.ctx) {
  const exchange = request && byRequest.get(request)
  if (exchange?.pending === undefined) return undefined
  const key = exchange.pending
  exchange.pending = undefined
  return { key, grantId: exchange.code.grantId }
}
