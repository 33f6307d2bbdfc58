import { expect } from 'vitest'
import type { AuthorizationOptions } from '../authorize.ts'
import { claimsOfScope, expectStandardClaims } from '../claims.ts'
import { expectUserInfo, type Outcome, signInAt } from '../flow.ts'
import { type Context, everywhere, type Module } from '../plan.ts'

export const scopeModules: readonly Module[] = [
  scopeModule('oidcc-scope-profile', 'openid profile'),
  scopeModule('oidcc-scope-email', 'openid email', expectNoName),
  scopeModule('oidcc-scope-address', 'openid address'),
  scopeModule('oidcc-scope-phone', 'openid phone'),
  scopeModule('oidcc-scope-all', 'openid email phone address profile'),
  scopeModule('oidcc-alternate-happy-flow', 'email openid', expectNoName, { reversed: true }),
  {
    name: 'oidcc-claims-essential',
    appliesTo: everywhere,
    async run(context) {
      const member = context.responseType === 'id_token' ? 'id_token' : 'userinfo'
      const claims = JSON.stringify({ [member]: { name: { essential: true } } })
      const outcome = await signInAt(context, { params: { claims } })
      const received = await claimsReceivedBy(context, outcome)
      expect(received.name).toBe('Ada Lovelace')
      if (member === 'userinfo') expectNotIn(outcome, 'name')
      return undefined
    },
  },
]

/** Claims come from the userinfo endpoint, or from the ID token if there is no access token. */
function scopeModule(
  name: string,
  scope: string,
  check?: (claims: Readonly<Record<string, unknown>>, outcome: Outcome) => void,
  options: AuthorizationOptions = {},
): Module {
  return {
    name,
    appliesTo: everywhere,
    async run(context) {
      const outcome = await signInAt(context, { ...options, params: { scope } })
      const claims = await claimsReceivedBy(context, outcome)
      for (const claim of scope.split(' ').flatMap((name) => claimsOfScope[name] ?? []))
        expect(claims).toHaveProperty(claim)
      check?.(claims, outcome)
      return undefined
    },
  }
}

async function claimsReceivedBy(context: Context, { idToken, accessToken }: Outcome): Promise<Record<string, unknown>> {
  const claims = accessToken ? await expectUserInfo(context, accessToken, idToken.claims.sub) : idToken.claims
  expectStandardClaims(claims)
  expect(claims.sub).toBe(context.person.sub)
  return claims
}

/** The scope `email` yields only the address, and not in the ID token if there is an access token. */
function expectNoName(claims: Readonly<Record<string, unknown>>, outcome: Outcome): void {
  expect(claims).not.toHaveProperty('name')
  expectNotIn(outcome, 'name')
  if (outcome.accessToken) expectNotIn(outcome, 'email')
}

function expectNotIn({ fromAuthorization, fromToken }: Outcome, claim: string): void {
  for (const token of [fromAuthorization, fromToken]) expect(token?.claims ?? {}).not.toHaveProperty(claim)
}
