import { Provider } from 'oidc-provider'
import type { StoredCode } from './store.ts'

/**
 * The library exchanges a code in six steps that each ask the database. Our statement for the code also reads its grant and
 * whether its person is active, and the code is used up by the statement that stores its access token. What one step
 * knows for another waits here, with the request and no longer.
 */
interface Exchange {
  readonly code: StoredCode
  /** The code's key, from when the library calls it used until a statement has used it up. */
  unused?: string | undefined
}

const byRequest = new WeakMap<object, Exchange>()
const current = () => Provider.ctx && byRequest.get(Provider.ctx)

export function rememberCode(code: StoredCode): void {
  if (Provider.ctx) byRequest.set(Provider.ctx, { code })
}

export function rememberedGrant(id: string): Record<string, unknown> | undefined {
  const code = current()?.code
  return code?.grantId === id ? (code.grant ?? undefined) : undefined
}

/** Whether the person is known to be there and able to sign in; undefined if they must be looked up. */
export function isRememberedAlive(accountId: string): boolean | undefined {
  const code = current()?.code
  return code?.accountId === accountId ? code.isAccountAlive : undefined
}

/** Leaves consuming the code to the statement that stores the token; false if the code was not remembered. */
export function deferConsumption(codeKey: string): boolean {
  const exchange = current()
  if (exchange) exchange.unused = codeKey
  return exchange !== undefined
}

/** The key of the code that is still to be used up, for whoever does so, and the grant that a second use would end. */
export function takeDeferred(request: object | undefined = Provider.ctx) {
  const exchange = request && byRequest.get(request)
  if (exchange?.unused === undefined) return undefined
  const key = exchange.unused
  exchange.unused = undefined
  return { key, grantId: exchange.code.grantId }
}
