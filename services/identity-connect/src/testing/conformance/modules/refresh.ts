import { setTimeout as wait } from 'node:timers/promises'
import * as oidc from 'openid-client'
import { expect } from 'vitest'
import { checkIdToken, type IdToken } from '../claims.ts'
import { expectUserInfo, signInAt, type Tokens } from '../flow.ts'
import { type Context, type Module, withCode } from '../plan.ts'
import { entropyOf } from './server.ts'

const scope = 'openid offline_access'

/** Refresh tokens are redeemed at the tenant's token endpoint, which supports more grants than the service's. */
export const refreshModules: readonly Module[] = [
  {
    name: 'oidcc-refresh-token',
    appliesTo: withCode,
    async run(context) {
      expect(context.config.serverMetadata().scopes_supported).toContain('offline_access')
      const first = await refreshingClient(context)
      const second = await refreshingClient(context)
      const [, { refresh_token = '' }] = await Promise.all([refreshOnce(first), refreshOnce(second)])
      await expect(oidc.refreshTokenGrant(first.config, refresh_token)).rejects.toMatchObject({
        error: 'invalid_grant',
        status: 400,
      })
      return undefined
    },
  },
]

async function refreshingClient(context: Context): Promise<Context> {
  const { url } = context.identity.app
  const discovery = await fetch(`${url}/acme/v2.0/.well-known/openid-configuration`)
  const { token_endpoint, grant_types_supported } = (await discovery.json()) as oidc.ServerMetadata
  expect(grant_types_supported).toContain('refresh_token')
  expect(token_endpoint).toBe(`${url}/acme/oauth2/v2.0/token`)
  return context.withClient(
    { grant_types: ['authorization_code', 'implicit', 'refresh_token'] },
    { tokenEndpoint: token_endpoint ?? '' },
  )
}

async function refreshOnce(context: Context): Promise<Tokens> {
  const { tokens, idToken } = await signInAt(context, { params: { scope, prompt: 'consent' } })
  const refreshToken = tokens?.refresh_token ?? ''
  expectStrong(refreshToken)
  await wait(1_000) // or the new ID token would be issued in the same second
  const renewed = await oidc.refreshTokenGrant(context.config, refreshToken, { scope })
  expect(renewed.token_type.toLowerCase()).toBe('bearer')
  expect(renewed.expires_in).toBeGreaterThan(0)
  expect(renewed.access_token).not.toBe(tokens?.access_token)
  expectStrong(renewed.access_token)
  expectStrong(renewed.refresh_token ?? '')
  const { nonce = null } = idToken.claims
  const newIdToken = await checkIdToken(context, renewed.id_token ?? '', {
    nonce: typeof nonce === 'string' ? nonce : null,
    accessToken: renewed.access_token,
    from: 'token',
  })
  expectSameSignIn(idToken, newIdToken)
  await expectUserInfo(context, renewed.access_token, newIdToken.claims.sub)
  return renewed
}

function expectStrong(secret: string): void {
  expect(secret).toMatch(/^[\x20-\x7e]{16,}$/)
  expect(entropyOf(secret)).toBeGreaterThan(96)
}

/** OpenID Connect Core 12.2. */
function expectSameSignIn({ claims: before }: IdToken, { claims: after }: IdToken): void {
  const { iss, sub, aud, azp } = before
  expect({ iss, sub, aud, azp }).toEqual({ iss: after.iss, sub: after.sub, aud: after.aud, azp: after.azp })
  expect(after.iat).toBeGreaterThan(before.iat ?? 0)
  if (after.auth_time !== undefined) expect(after.auth_time).toBe(before.auth_time)
}
