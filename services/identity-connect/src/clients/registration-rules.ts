import { generateKeyPairSync } from 'node:crypto'
import { Failure } from '@icosa/kernel'
import { type Client, errors, Provider } from 'oidc-provider'
import { allowTokenAlone, protocolPolicy } from '../provider/policy.ts'

let validator: Provider | undefined

/** Applies the library's rules for OpenID client registration, and returns the resulting grant types. */
export function validateRegistration(metadata: object): readonly string[] {
  validator ??= newValidator()
  // The library's types declare no constructor.
  const Client = validator.Client as unknown as new (metadata: object) => Client
  try {
    return new Client(metadata).grantTypes ?? []
  } catch (error) {
    if (!(error instanceof errors.OIDCProviderError)) throw error
    throw new Failure('invalid', error.error_description ?? error.message, { code: error.error })
  }
}

/** Only validates clients, so its keys do not matter; without any, the library would warn. */
function newValidator(): Provider {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const jwk = { ...privateKey.export({ format: 'jwk' }), kty: 'RSA', alg: 'RS256', use: 'sig' as const }
  const provider = new Provider('https://registration.invalid', {
    ...protocolPolicy(),
    jwks: { keys: [jwk as never] },
    cookies: { keys: ['none are set'] },
    adapter: emptyAdapter,
  })
  allowTokenAlone(provider)
  return provider
}

const none = async () => undefined
const emptyAdapter = () => ({
  upsert: none,
  find: none,
  findByUid: none,
  findByUserCode: none,
  consume: none,
  destroy: none,
  revokeByGrantId: none,
})
