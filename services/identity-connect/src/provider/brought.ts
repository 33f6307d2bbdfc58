import { Provider } from 'oidc-provider'
import type { StoredCode } from './store.ts'

/**
 * The library exchanges a code in six steps that each ask the database. Our statement for the code brings its grant and
 * a look at its person along, and the code is used up by the statement that stores its access token. What one step
 * knows for another waits here, with the request and no longer.
 */
interface Exchange {
  readonly code: StoredCode
  /** The code's key, from when the library calls it used until a statement has used it up. */
  unused?: string | undefined
}

const byRequest = new WeakMap<object, Exchange>()
const current = () => Provider.ctx && byRequest.get(Provider.ctx)

export function bring(code: StoredCode): void {
  if (Provider.ctx) byRequest.set(Provider.ctx, { code })
}

export function broughtGrant(id: string): Record<string, unknown> | undefined {
  const code = current()?.code
  return code?.grantId === id ? (code.grant ?? undefined) : undefined
}

/** Whether the person is known to be there and able to sign in; undefined if they must be looked up. */
export function isBroughtAlive(accountId: string): boolean | undefined {
  const code = current()?.code
  return code?.accountId === accountId ? code.isAccountAlive : undefined
}

/** Leaves the using up to the statement that stores the token; false if nobody brought the code. */
export function leaveUnused(codeKey: string): boolean {
  const exchange = current()
  if (exchange) exchange.unused = codeKey
  return exchange !== undefined
}

/** The key of the code that is still to be used up, for whoever does so, and the grant that a second use would end. */
export function takeUnused(request: object | undefined = Provider.ctx) {
  const exchange = request && byRequest.get(request)
  if (exchange?.unused === undefined) return undefined
  const key = exchange.unused
  exchange.unused = undefined
  return { key, grantId: exchange.code.grantId }
}
