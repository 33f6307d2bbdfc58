import * as oidc from 'openid-client'
import { expect } from 'vitest'
import { type AuthorizationOptions, isSignIn } from '../authorize.ts'
import { type Outcome, signInAt } from '../flow.ts'
import { type Context, everywhere, hasIdToken, type Module, withCode } from '../plan.ts'

/** Optional parameters that must not prevent a sign-in. */
export const parameterModules: readonly Module[] = [
  succeeds('oidcc-display-page', { params: { display: 'page' } }, (_, outcome) => expectDisplay(outcome, 'page')),
  succeeds('oidcc-display-popup', { params: { display: 'popup' } }, (_, outcome) => expectDisplay(outcome, 'popup')),
  succeeds('oidcc-ui-locales', { params: { ui_locales: 'se' } }),
  succeeds('oidcc-claims-locales', { params: { claims_locales: 'se' } }),
  succeeds('oidcc-login-hint', { params: { login_hint: 'buffy@example.com' } }, (_, { shown }) =>
    expect(shown.find(isSignIn)?.text, 'the address is filled in').toMatch(/<input[^>]*value="buffy@example\.com"/),
  ),
  succeeds('oidcc-ensure-request-with-unknown-parameter-succeeds', { params: { extra: 'foobar' } }),
  succeeds('oidcc-ensure-post-request-succeeds', { method: 'POST' }),
  {
    name: 'oidcc-ensure-request-with-acr-values-succeeds',
    appliesTo: everywhere,
    async run(context) {
      const { acr_values_supported = ['1', '2'] } = context.config.serverMetadata()
      const { idToken } = await signInAt(context, { params: { acr_values: acr_values_supported.join(' ') } })
      const { acr } = idToken.claims
      if (acr === undefined) return { warning: 'acr_values is accepted; ID tokens have no acr (a SHOULD)' }
      expect(acr_values_supported).toContain(acr)
      return undefined
    },
  },
  {
    name: 'oidcc-ensure-request-with-valid-pkce-succeeds',
    appliesTo: withCode,
    async run(context) {
      const codeVerifier = oidc.randomPKCECodeVerifier()
      const code_challenge = await oidc.calculatePKCECodeChallenge(codeVerifier)
      await signInAt(context, { params: { code_challenge, code_challenge_method: 'S256' }, codeVerifier })
      return undefined
    },
  },
  {
    name: 'oidcc-ensure-request-without-nonce-succeeds-for-code-flow',
    appliesTo: (type) => !hasIdToken(type) || 'nonce is required: an ID token comes from the authorization endpoint',
    async run(context) {
      const { idToken } = await signInAt(context, { params: { nonce: undefined } })
      expect(idToken.claims).not.toHaveProperty('nonce')
      return undefined
    },
  },
]

function succeeds(
  name: string,
  options: AuthorizationOptions,
  check?: (context: Context, outcome: Outcome) => void,
): Module {
  return {
    name,
    appliesTo: everywhere,
    async run(context) {
      const outcome = await signInAt(context, options)
      check?.(context, outcome)
      return undefined
    },
  }
}

function expectDisplay({ shown }: Outcome, display: string): void {
  expect(shown.length).toBeGreaterThan(0)
  for (const { text } of shown) expect(text).toContain(`data-display="${display}"`)
}
