import type { Caller, Credentials, Incoming } from '@icosa/kernel'

/**
 * Returns the caller of `Authorization: Bearer ...`: by a token of a trusted issuer, or by a key of the platform, so
 * that developers at a shell need no token.
 */
export function bearerCaller(
  { headers }: Pick<Incoming, 'headers'>,
  credentials: Credentials,
): Caller | undefined | Promise<Caller | undefined> {
  const [, token] = /^bearer ([\w.~+/=-]+)$/i.exec(headers.authorization?.toString() ?? '') ?? []
  if (token === undefined) return undefined
  return token.includes('.') ? credentials.byToken(token) : credentials.byKey(token)
}
