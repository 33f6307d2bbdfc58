import { type Detail, invalid, isPattern } from '@icosa/kernel'
import { isTenant, isText } from '../verify/verified.ts'

/** Somebody else who issues tokens, and what theirs are worth here. */
export interface TrustedIssuer {
  /** As its tokens spell it in `iss`. */
  readonly issuer: string
  /** For whom its tokens have to be issued. */
  readonly audience: string
  /** Where its keys are. Found through `{issuer}/.well-known/openid-configuration` if not given. */
  readonly jwksUri?: string | undefined
  /** All its tokens belong to this tenant, or each to the one that a claim names. */
  readonly tenant?: string | undefined
  readonly tenantClaim?: string | undefined
  /** All its tokens may do this, or each what a claim lists: an array, or words as in `scope`. Nothing if not given. */
  readonly permissions?: readonly string[] | undefined
  readonly permissionsClaim?: string | undefined
}

/** The name of a person or token of another issuer: the caller's id, and what to revoke. */
export const foreignName = (issuer: string, name: string) => `${issuer} ${name}`

/** Refuses what an operator cannot have meant. */
export function checkIssuers(issuers: readonly TrustedIssuer[]): void {
  const wrong = issuers.flatMap((trusted, at) => {
    const twice = issuers.findIndex(({ issuer }) => issuer === trusted.issuer) < at
    return [...faults(trusted), ...(twice ? [{ at: 'issuer', message: 'is listed twice' }] : [])].map((fault) => ({
      at: `trustedIssuers/${at}/${fault.at}`,
      message: fault.message,
    }))
  })
  if (wrong.length > 0) invalid(wrong)
}

function faults(trusted: TrustedIssuer): Detail[] {
  const { issuer, audience, jwksUri, tenant, tenantClaim, permissions, permissionsClaim } = trusted
  const found: Detail[] = []
  const refuse = (at: string, message: string) => found.push({ at, message })
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
  return found
}

const isAddress = (text: string) => /^https?:$/.test(URL.parse(text)?.protocol ?? '')

/** Keys come over TLS, unless the issuer itself does not: one on this machine. */
export function isKeyAddress(address: unknown, issuer: string): address is string {
  if (typeof address !== 'string') return false
  const protocol = URL.parse(address)?.protocol
  return protocol === 'https:' || (protocol === 'http:' && URL.parse(issuer)?.protocol === 'http:')
}
