import { locationClaims, nameScopes } from '../../names.ts'
import type { ScopeView } from '../../pages/views.ts'
import { claimsOf } from '../../people/claims.ts'
import type { Person } from '../../people/people.ts'
import { platformScope } from '../../provider/platform-scope.ts'

/** Labels for users, and the claims shown on the consent page. */
const scopeInfo: Readonly<Record<string, { readonly label: string; readonly claims: readonly string[] }>> = {
  profile: {
    label: 'Your name and profile',
    claims: ['name', 'nickname', 'picture', 'locale', 'zoneinfo', 'birthdate'],
  },
  email: { label: 'Your e-mail address', claims: ['email'] },
  phone: { label: 'Your phone number', claims: ['phone_number'] },
  address: { label: 'Your postal address', claims: ['address'] },
  offline_access: { label: 'Keep access while you are away', claims: [] },
  [platformScope]: { label: 'Use the services of this platform in your name', claims: [] },
  ...Object.fromEntries(nameScopes.map((scope) => [scope, { label: 'Your full name', claims: ['name'] }])),
  ...Object.fromEntries(
    Object.values(locationClaims).map((scope) => [scope, { label: 'Where you live', claims: ['address'] }]),
  ),
}

export const scopeText = (scope: string) => scopeInfo[scope]?.label ?? scope

/** Scopes beyond `openid`. */
export function toScopeViews(scopes: readonly string[], newScopes: readonly string[], person: Person): ScopeView[] {
  const claims = claimsOf(person)
  return scopes
    .filter((scope) => scope in scopeInfo)
    .map((scope) => ({
      scope,
      label: scopeText(scope),
      shares: (scopeInfo[scope]?.claims ?? []).flatMap((claim) => textOf(claims[claim])),
      isNew: newScopes.includes(scope),
    }))
}

function textOf(claim: unknown): string[] {
  if (typeof claim === 'string') return [claim]
  const formatted = Object(claim).formatted
  return typeof formatted === 'string' ? [formatted.replaceAll('\n', ', ')] : []
}
