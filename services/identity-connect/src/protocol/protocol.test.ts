import * as oidc from 'openid-client'
import { expect, test } from 'vitest'
import { redirectUri, signIn, startIdentity } from '../testing/app.ts'

test('a user signs in, and the client reads their claims', async () => {
  await using identity = await startIdentity()
  const { client_id, client_secret } = await identity.client()
  const sub = await identity.person()
  const config = await oidc.discovery(new URL(identity.issuer), client_id, client_secret, undefined, {
    execute: [oidc.allowInsecureRequests],
  })
  const url = oidc.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: 'openid email',
    state: 'st',
    nonce: 'n1',
  })
  const visitor = identity.browser()
  const start = await visitor.get(url)
  expect(start.status).toBe(303)
  const end = await signIn(visitor, start)
  expect(end.status).toBe(302)
  const tokens = await oidc.authorizationCodeGrant(config, end.location as URL, {
    expectedState: 'st',
    expectedNonce: 'n1',
  })
  expect(tokens.claims()).toMatchObject({ sub, aud: client_id })
  expect(await oidc.fetchUserInfo(config, tokens.access_token, sub)).toMatchObject({ email: 'ada@example.com' })
})
