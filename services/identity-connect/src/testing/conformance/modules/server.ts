import * as oidc from 'openid-client'
import { expect } from 'vitest'
import { signInAt } from '../flow.ts'
import { type Context, everywhere, hasIdToken, type Module, withCode } from '../plan.ts'

/** Claims that an ID token may have without a request. */
const protocolClaims = new Set(
  'iss sub aud exp iat auth_time nonce acr amr azp at_hash c_hash s_hash nbf jti sid'.split(' '),
)

export const serverModules: readonly Module[] = [
  {
    name: 'oidcc-server',
    appliesTo: everywhere,
    async run(context) {
      await expectValidKeys(context)
      const { responseParams, fromAuthorization, fromToken, tokens } = await signInAt(context)
      for (const token of [fromAuthorization, fromToken])
        expect(Object.keys(token?.claims ?? {}).filter((claim) => !protocolClaims.has(claim))).toEqual([])
      const code = responseParams.get('code')
      if (code !== null) {
        expect(code).toMatch(/^[\x20-\x7e]{22,}$/)
        expect(entropyOf(code)).toBeGreaterThan(96)
        expect(tokens?.expires_in).toBeTypeOf('number')
      }
      return undefined
    },
  },
  {
    name: 'oidcc-server-client-secret-post',
    appliesTo: withCode,
    async run(context) {
      const { token_endpoint_auth_methods_supported } = context.config.serverMetadata()
      expect(token_endpoint_auth_methods_supported).toContain('client_secret_post')
      const metadata = { token_endpoint_auth_method: 'client_secret_post' } as const
      await signInAt(await context.withClient(metadata, { authentication: oidc.ClientSecretPost }))
      return undefined
    },
  },
  {
    name: 'oidcc-idtoken-signature',
    appliesTo: everywhere,
    async run(context) {
      const { fromAuthorization, fromToken } = await signInAt(context)
      const { keys } = await keySet(context)
      for (const token of [fromAuthorization, fromToken]) {
        if (!token) continue
        expect(token.header.alg).toBe('RS256')
        expect(keys.filter(({ kid }) => kid === token.header.kid)).toMatchObject([{ kty: 'RSA' }])
      }
      return undefined
    },
  },
  {
    name: 'oidcc-idtoken-unsigned',
    appliesTo: (type) => !hasIdToken(type) || 'an ID token from the authorization endpoint is always signed',
    async run({ config }) {
      const offered = config.serverMetadata().id_token_signing_alg_values_supported
      expect(offered, 'unsigned ID tokens are offered: sign in with them').not.toContain('none')
      return { notApplicable: 'id_token_signing_alg_values_supported does not offer `none`' }
    },
  },
]

interface PublicKey {
  readonly kty?: string
  readonly kid?: string
  readonly use?: string
  readonly d?: string
}

async function keySet({ config }: Context): Promise<{ keys: PublicKey[] }> {
  const response = await fetch(config.serverMetadata().jwks_uri ?? '')
  expect(response.status).toBe(200)
  return (await response.json()) as { keys: PublicKey[] }
}

/** The suite checks the keys before every module; here once per plan. */
export async function expectValidKeys(context: Context): Promise<void> {
  const { keys } = await keySet(context)
  expect(keys.length).toBeGreaterThan(0)
  for (const key of keys) {
    expect(key.kid).toBeTruthy()
    expect(key.kty).toBeTruthy()
    for (const secret of ['d', 'p', 'q', 'k']) expect(key).not.toHaveProperty(secret)
  }
  expect(new Set(keys.map(({ kid }) => kid)).size).toBe(keys.length)
}

/** Shannon entropy in bits, as in the suite. */
export function entropyOf(text: string): number {
  const counts = new Map<string, number>()
  for (const letter of text) counts.set(letter, (counts.get(letter) ?? 0) + 1)
  const bits = [...counts.values()].map((count) => (count / text.length) * Math.log2(text.length / count))
  return bits.reduce((sum, value) => sum + value, 0) * text.length
}
