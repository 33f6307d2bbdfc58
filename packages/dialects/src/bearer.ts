import type { Caller, Credentials, Incoming } from '@icosa/kernel'

/**
 * Who calls with `Authorization: Bearer ...`: a token of a trusted issuer, or a key of the platform in its place, so
 * that a developer at a shell needs no token.
 */
export function bearerCaller(
  { headers }: Pick<Incoming, 'headers'>,
  credentials: Credentials,
): Caller | undefined | Promise<Caller | undefined> {
  const [, token] = /^bearer ([\w.~+/=-]+)$/i.exec(headers.authorization?.toString() ?? '') ?? []
  if (token === undefined) return undefined
  return token.includes('.') ? credentials.byToken(token) : credentials.byKey(token)
}
