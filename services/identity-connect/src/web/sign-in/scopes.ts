import { locationClaims, nameScopes } from '../../names.ts'
import type { ScopeView } from '../../pages/views.ts'
import { claimsOf } from '../../people/claims.ts'
import type { Person } from '../../people/people.ts'
import { platformScope } from '../../provider/platform-scope.ts'

/** What a scope means, in the words of the person who is asked, and which of their claims it shows. */
const known: Readonly<Record<string, { readonly says: string; readonly claims: readonly string[] }>> = {
  profile: {
    says: 'Your name and profile',
    claims: ['name', 'nickname', 'picture', 'locale', 'zoneinfo', 'birthdate'],
  },
  email: { says: 'Your e-mail address', claims: ['email'] },
  phone: { says: 'Your phone number', claims: ['phone_number'] },
  address: { says: 'Your postal address', claims: ['address'] },
  offline_access: { says: 'Keep access while you are away', claims: [] },
  [platformScope]: { says: 'Use the services of this platform in your name', claims: [] },
  ...Object.fromEntries(nameScopes.map((scope) => [scope, { says: 'Your full name', claims: ['name'] }])),
  ...Object.fromEntries(
    Object.values(locationClaims).map((scope) => [scope, { says: 'Where you live', claims: ['address'] }]),
  ),
}

export const scopeText = (scope: string) => known[scope]?.says ?? scope

/** Everything that is asked for beyond who the person is. */
export function toScopeViews(scopes: readonly string[], fresh: readonly string[], person: Person): ScopeView[] {
  const claims = claimsOf(person)
  return scopes
    .filter((scope) => scope in known)
    .map((scope) => ({
      scope,
      says: scopeText(scope),
      shares: (known[scope]?.claims ?? []).flatMap((claim) => textOf(claims[claim])),
      isNew: fresh.includes(scope),
    }))
}

function textOf(claim: unknown): string[] {
  if (typeof claim === 'string') return [claim]
  const formatted = Object(claim).formatted
  return typeof formatted === 'string' ? [formatted.replaceAll('\n', ', ')] : []
}
