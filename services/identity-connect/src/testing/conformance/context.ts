import { createRemoteJWKSet } from 'jose'
import * as oidc from 'openid-client'
import type { Metadata } from '../../clients/metadata.ts'
import { updateProfile } from '../../people/people.ts'
import type { IdentityApp } from '../app.ts'
import type { ClientChoice, Context, ResponseType, TestUser } from './plan.ts'

export const postLogoutRedirectUri = 'https://rp.example/post_logout_redirect'

/** Has every claim that the suite checks. */
const profile = {
  given_name: 'Ada',
  family_name: 'Lovelace',
  middle_name: 'Augusta',
  nickname: 'Countess',
  preferred_username: 'ada',
  profile: 'https://people.example/ada',
  picture: 'https://people.example/ada.png',
  website: 'https://ada.example',
  gender: 'female',
  birthdate: '1815-12-10',
  zoneinfo: 'Europe/London',
  locale: 'en-GB',
  phone_number: '+44 20 7946 0000',
  address: { street_address: "12 St James's Square", locality: 'London', postal_code: 'SW1Y 4JH', country: 'UK' },
}

export async function newPerson({ app, person }: IdentityApp, email = 'ada@example.com'): Promise<TestUser> {
  const credentials = { email, password: 'analytical engine no. 1', name: 'Ada Lovelace' }
  const sub = await person(credentials)
  await updateProfile(app.platform.database, app.platform.clock, sub, profile)
  return { sub, ...credentials }
}

export interface ContextOptions extends ClientChoice {
  readonly responseType?: ResponseType
  readonly formPost?: boolean
  readonly client?: Metadata
}

/** Registers a client and reads the server's discovery document, as the suite does before each module. */
export async function newContext(
  identity: IdentityApp,
  person: TestUser,
  { responseType = 'code', formPost = false, client: metadata = {}, ...choice }: ContextOptions = {},
): Promise<Context> {
  const client = await identity.client({ post_logout_redirect_uris: [postLogoutRedirectUri], ...metadata })
  const config = await configure(identity, client, choice)
  if (responseType === 'code id_token') oidc.useCodeIdTokenResponseType(config)
  if (responseType === 'id_token') oidc.useIdTokenResponseType(config)
  return {
    identity,
    person,
    responseType,
    formPost,
    client,
    config,
    keys: createRemoteJWKSet(new URL(`${identity.issuer}/jwks`)),
    withClient: (other, otherChoice) =>
      newContext(identity, person, { responseType, formPost, client: other, ...otherChoice }),
  }
}

async function configure(
  { issuer }: IdentityApp,
  { client_id, client_secret }: Context['client'],
  { authentication = oidc.ClientSecretBasic, tokenEndpoint }: ClientChoice,
): Promise<oidc.Configuration> {
  const method = client_secret === '' ? oidc.None() : authentication(client_secret)
  const execute = [oidc.allowInsecureRequests]
  const config = await oidc.discovery(new URL(issuer), client_id, undefined, method, { execute })
  if (tokenEndpoint === undefined) return config
  const { supportsPKCE, ...server } = config.serverMetadata()
  const other = new oidc.Configuration({ ...server, token_endpoint: tokenEndpoint }, client_id, undefined, method)
  oidc.allowInsecureRequests(other)
  return other
}
