import type { Caller, Credentials, Incoming } from '@icosa/kernel'

/**
 * Returns the caller whose key is the password. The user name must be the tenant's or the key's ID, so that mistakes
 * show early. Keys are 256 random bits, so they need no slow hash: with the kernel's one-second cache, a request costs
 * two lookups in memory.
 */
export function basicCaller(
  { headers: { authorization } }: Pick<Incoming, 'headers'>,
  credentials: Pick<Credentials, 'byKey'>,
): Caller | undefined | Promise<Caller | undefined> {
  if (typeof authorization !== 'string' || !scheme.test(authorization)) return undefined
  const text = Buffer.from(authorization.slice(6), 'base64').toString()
  const colon = text.indexOf(':')
  if (colon < 0) return undefined
  const user = text.slice(0, colon)
  const verified = (caller: Caller | undefined) =>
    caller && (user === caller.tenant || user === caller.id) ? caller : undefined
  const caller = credentials.byKey(text.slice(colon + 1))
  return caller instanceof Promise ? caller.then(verified) : verified(caller)
}

const scheme = /^basic /i

/** Makes browsers ask for credentials. */
export const challenge = (realm: string) => ({ 'www-authenticate': `Basic realm="${realm}", charset="UTF-8"` })
