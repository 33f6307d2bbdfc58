import type { Caller, Credentials, Incoming } from '@icosa/kernel'

/**
 * The caller whose key is the password. The user name is the tenant's, or the id of the key: another one is a mistake
 * that nobody should find out late. Keys are 256 random bits, so they need no slow hash: what was found is cached by the
 * kernel for a second, and a request costs two looks into memory.
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
  const known = (caller: Caller | undefined) =>
    caller && (user === caller.tenant || user === caller.id) ? caller : undefined
  const found = credentials.byKey(text.slice(colon + 1))
  return found instanceof Promise ? found.then(known) : known(found)
}

const scheme = /^basic /i

/** What makes a browser ask for them. */
export const challenge = (realm: string) => ({ 'www-authenticate': `Basic realm="${realm}", charset="UTF-8"` })
