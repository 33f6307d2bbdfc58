import { type Detail, invalid, isPattern } from '@icosa/kernel'
import { isTenant, isText } from '../verify/verified.ts'

/** A foreign issuer of tokens, and the rights of its tokens here. */
export interface TrustedIssuer {
  /** As in the tokens' `iss`. */
  readonly issuer: string
  /** Required audience of its tokens. */
  readonly audience: string
  /** URL of its keys; defaults to discovery by `{issuer}/.well-known/openid-configuration`. */
  readonly jwksUri?: string | undefined
  /** Tenant of all its tokens, or the claim that names it. */
  readonly tenant?: string | undefined
  readonly tenantClaim?: string | undefined
  /** Permissions of all its tokens, or the claim that lists them: an array, or words as in `scope`. Default: none. */
  readonly permissions?: readonly string[] | undefined
  readonly permissionsClaim?: string | undefined
}

/** Name of a foreign user or token: the caller's ID, and the subject to revoke. */
export const foreignName = (issuer: string, name: string) => `${issuer} ${name}`

/** Validates the operator's configuration. */
export function checkIssuers(issuers: readonly TrustedIssuer[]): void {
  const problems = issuers.flatMap((trusted, at) => {
    const isDuplicate = issuers.findIndex(({ issuer }) => issuer === trusted.issuer) < at
    return [...problemsOf(trusted), ...(isDuplicate ? [{ at: 'issuer', message: 'is listed twice' }] : [])].map(
      (fault) => ({
        at: `trustedIssuers/${at}/${fault.at}`,
        message: fault.message,
      }),
    )
  })
  if (problems.length > 0) invalid(problems)
}

function problemsOf(trusted: TrustedIssuer): Detail[] {
  const { issuer, audience, jwksUri, tenant, tenantClaim, permissions, permissionsClaim } = trusted
  const problems: Detail[] = []
  const refuse = (at: string, message: string) => problems.push({ at, message })
  if (!isAddress(issuer)) refuse('issuer', 'must be an address such as https://login.example.com')
  if (!isText(audience)) refuse('audience', 'must name the audience of its tokens')
  if (jwksUri !== undefined && !isKeyAddress(jwksUri, issuer)) refuse('jwksUri', 'must be an https address')
  if ((tenant === undefined) === (tenantClaim === undefined))
    refuse('tenant', 'or tenantClaim must be given, but not both')
  if (tenant !== undefined && !isTenant(tenant)) refuse('tenant', 'must be 1 to 100 letters, digits or . @ _ -')
  for (const [at, claim] of Object.entries({ tenantClaim, permissionsClaim }))
    if (claim !== undefined && !isText(claim)) refuse(at, 'must be the name of a claim')
  if (permissions && permissionsClaim !== undefined)
    refuse('permissions', 'or permissionsClaim may be given, but not both')
  for (const pattern of permissions ?? [])
    if (!isPattern(pattern)) refuse('permissions', `must be patterns such as 'backup:List*', not '${pattern}'`)
  return problems
}

const isAddress = (text: string) => /^https?:$/.test(URL.parse(text)?.protocol ?? '')

/** Keys require TLS, unless the issuer itself has none: one on this machine. */
export function isKeyAddress(address: unknown, issuer: string): address is string {
  if (typeof address !== 'string') return false
  const protocol = URL.parse(address)?.protocol
  return protocol === 'https:' || (protocol === 'http:' && URL.parse(issuer)?.protocol === 'http:')
}
