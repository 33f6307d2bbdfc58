import { generateKeyPairSync } from 'node:crypto'
import { Failure } from '@icosa/kernel'
import { type Client, errors, Provider } from 'oidc-provider'
import { allowTokenAlone, protocolPolicy } from '../provider/policy.ts'

let validator: Provider | undefined

/** The library has the rules of OpenID's client registration; answers the grant types that follow. */
export function validateRegistration(metadata: object): readonly string[] {
  validator ??= newValidator()
  // The library's types know clients only as something to read.
  const Client = validator.Client as unknown as new (metadata: object) => Client
  try {
    return new Client(metadata).grantTypes ?? []
  } catch (error) {
    if (!(error instanceof errors.OIDCProviderError)) throw error
    throw new Failure('invalid', error.error_description ?? error.message, { code: error.error })
  }
}

/** It only validates clients, so its keys do not matter; without any the library would warn of its own. */
function newValidator(): Provider {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const jwk = { ...privateKey.export({ format: 'jwk' }), kty: 'RSA', alg: 'RS256', use: 'sig' as const }
  const provider = new Provider('https://registration.invalid', {
    ...protocolPolicy(),
    jwks: { keys: [jwk as never] },
    cookies: { keys: ['none are set'] },
    adapter: nothingStored,
  })
  allowTokenAlone(provider)
  return provider
}

const nothing = async () => undefined
const nothingStored = () => ({
  upsert: nothing,
  find: nothing,
  findByUid: nothing,
  findByUserCode: nothing,
  consume: nothing,
  destroy: nothing,
  revokeByGrantId: nothing,
})
