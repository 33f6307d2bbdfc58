import { expect } from 'vitest'
import { type Context, everywhere, type Module } from '../plan.ts'
import { expectValidKeys } from './server.ts'

type Metadata = Readonly<Record<string, unknown>>

/** Behind a TLS-terminating proxy, the document must have public URLs. */
const outside = 'https://id.example.org'
const throughProxy = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'id.example.org' }

export const configModules: readonly Module[] = [
  {
    name: 'oidcc-discovery-endpoint-verification',
    appliesTo: everywhere,
    async run(context) {
      const metadata = await discover(context)
      expect(metadata.issuer).toBe(`${outside}/identity-connect`)
      expectSecure(metadata, ['authorization_endpoint', 'token_endpoint', 'userinfo_endpoint', 'registration_endpoint'])
      expectSecure(metadata, ['jwks_uri'])
      const types = textsOf(metadata, 'response_types_supported').map((type) => type.split(' ').sort().join(' '))
      expect(types).toEqual(expect.arrayContaining(['code', 'id_token', 'id_token token']))
      expect(textsOf(metadata, 'subject_types_supported')).toEqual(['public'])
      expect(textsOf(metadata, 'id_token_signing_alg_values_supported')).toContain('RS256')
      expect(textsOf(metadata, 'grant_types_supported')).toEqual(
        expect.arrayContaining(['authorization_code', 'implicit']),
      )
      expect(textsOf(metadata, 'scopes_supported')).toContain('openid')
      for (const scope of textsOf(metadata, 'scopes_supported')) expect(scope).toMatch(/^[\x21\x23-\x5b\x5d-\x7e]+$/)
      expect(textsOf(metadata, 'claims_supported').length).toBeGreaterThan(0)
      expect(textsOf(metadata, 'code_challenge_methods_supported')).toEqual(['S256'])
      expect(metadata.claims_parameter_supported).toBe(true)
      expect(metadata.request_uri_parameter_supported, 'absent would mean true').toBe(false)
      expect(metadata.request_parameter_supported ?? false).toBe(false)
      await expectValidKeys(context)
      return undefined
    },
  },
]

export const sessionDiscovery = requires('oidcc-session-management-discovery-endpoint-verification', [
  'check_session_iframe',
])

export const logoutDiscovery = requires('oidcc-rp-initiated-logout-discovery-endpoint-verification', [])

export const backchannelDiscovery = requires(
  'oidcc-backchannel-logout-discovery-endpoint-verification',
  [],
  ['backchannel_logout_supported', 'backchannel_logout_session_supported'],
)

function requires(name: string, addresses: readonly string[], flags: readonly string[] = []): Module {
  return {
    name,
    appliesTo: everywhere,
    async run(context) {
      const metadata = await discover(context)
      expectSecure(metadata, ['end_session_endpoint', ...addresses])
      for (const flag of flags) expect(metadata[flag], flag).toBe(true)
      return undefined
    },
  }
}

async function discover({ identity }: Context): Promise<Metadata> {
  const response = await fetch(`${identity.issuer}/.well-known/openid-configuration`, { headers: throughProxy })
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toMatch(/^application\/json/)
  return (await response.json()) as Metadata
}

/** These URLs are present, and all URLs are at the issuer, over TLS. */
function expectSecure(metadata: Metadata, names: readonly string[]): void {
  expect(Object.keys(metadata)).toEqual(expect.arrayContaining([...names]))
  const addresses = Object.entries(metadata).filter(([name]) => /_endpoint$|_uri$|_iframe$/.test(name))
  const elsewhere = addresses.filter(([, address]) => !String(address).startsWith(`${outside}/`))
  expect(Object.fromEntries(elsewhere)).toEqual({})
}

function textsOf(metadata: Metadata, name: string): string[] {
  const value = metadata[name]
  expect(value, name).toBeInstanceOf(Array)
  for (const text of value as unknown[]) expect(text, name).toBeTypeOf('string')
  return value as string[]
}
