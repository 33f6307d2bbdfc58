import { randomBytes } from 'node:crypto'
import { createKey, revokeCredential } from '@icosa/kernel'
import { acceptedForMs, startTestApp } from '@icosa/testing'
import { rotateSigningKeys } from '@icosa/tokens'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import * as oidc from 'openid-client'
import { expect, test } from 'vitest'
import { identityConnect } from '../index.ts'
import { redirectUri, signIn, startIdentity } from '../testing/app.ts'

interface Token {
  readonly access_token: string
  readonly token_type: string
  readonly expires_in: number
}

const jsonOf = async <T>(response: Response) => (await response.json()) as T

const machine = (url: string, tenant: string, client_id: string, client_secret: string) =>
  fetch(`${url}/${tenant}/oauth2/v2.0/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id,
      client_secret,
      scope: 'https://management.example/.default',
    }),
  })

async function keyOf(identity: Awaited<ReturnType<typeof startIdentity>>, permissions = ['*']) {
  const { database, clock } = identity.app.platform
  return createKey(database, clock, { tenant: 'acme', name: randomBytes(3).toString('hex'), permissions })
}

test('a platform key gets a token at its tenant with the permissions of the key', async () => {
  await using identity = await startIdentity()
  const { url } = identity.app
  const { id, key } = await keyOf(identity, ['identity-connect:getClient', 'identity-connect:client'])

  const discovery = await jsonOf<{ issuer: string }>(await fetch(`${url}/acme/v2.0/.well-known/openid-configuration`))
  expect(discovery).toMatchObject({ issuer: `${url}/acme/v2.0`, token_endpoint: `${url}/acme/oauth2/v2.0/token` })

  const unversioned = await jsonOf(await fetch(`${url}/acme/.well-known/openid-configuration`))
  expect(unversioned, 'as az asks for it').toEqual(discovery)
  expect(await jsonOf(await fetch(`${url}/metadata/endpoints?api-version=2022-09-01`))).toMatchObject({
    resourceManager: url,
    authentication: { loginEndpoint: url, audiences: [url], tenant: 'common' },
  })

  const response = await machine(url, 'acme', id, key)
  expect(response.status).toBe(200)
  const { access_token, token_type, expires_in } = await jsonOf<Token>(response)
  expect({ token_type, expires_in }).toEqual({ token_type: 'Bearer', expires_in: 3600 })
  expect(decodeProtectedHeader(access_token)).toMatchObject({ alg: 'ES256', typ: 'at+jwt' })
  expect(decodeJwt(access_token)).toMatchObject({ iss: discovery.issuer, sub: id, tenant: 'acme' })

  const headers = { authorization: `Bearer ${access_token}` }
  expect((await fetch(`${identity.issuer}/client`, { headers })).status).toBe(200)
  const refused = await fetch(`${identity.issuer}/client`, { method: 'POST', headers, body: '{}' })
  expect(refused.status).toBe(403)
  expect(await refused.json()).toMatchObject({ detail: expect.stringContaining('identity-connect:createClient') })
})

test('a wrong secret, another tenant and the specified token route are rejected', async () => {
  await using identity = await startIdentity()
  const { url } = identity.app
  const { id, key } = await keyOf(identity)
  expect((await machine(url, 'acme', id, `${key}x`)).status).toBe(401)
  expect((await machine(url, 'globex', id, key)).status).toBe(401)
  expect((await machine(url, 'acme', 'key_unknown', key)).status).toBe(401)
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: id, client_secret: key })
  const specified = await fetch(`${identity.issuer}/token`, { method: 'POST', body })
  expect(specified.status).toBe(400)
  expect(await specified.json()).toMatchObject({ error: 'unsupported_grant_type' })
})

test('a user authorizes a client to use the platform', async () => {
  await using identity = await startIdentity()
  const { client_id, client_secret } = await identity.client()
  await identity.approve(client_id)
  const sub = await identity.person()
  const config = await oidc.discovery(new URL(identity.issuer), client_id, client_secret, undefined, {
    execute: [oidc.allowInsecureRequests],
  })
  const url = oidc.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: 'openid platform',
    resource: 'urn:icosa:platform',
    state: 'st',
  })
  const visitor = identity.browser()
  const end = await signIn(visitor, await visitor.get(url))
  const tokens = await oidc.authorizationCodeGrant(config, end.location as URL, { expectedState: 'st' })
  expect(decodeJwt(tokens.access_token)).toMatchObject({ sub, tenant: `person-${sub}`, aud: 'urn:icosa:platform' })

  // Their own clients, none of them Acme's.
  const headers = { authorization: `Bearer ${tokens.access_token}` }
  const mine = await fetch(`${identity.issuer}/client`, { headers })
  expect(await mine.json()).toEqual([])

  // Signing out ends it, on this node within a second.
  await visitor.submit(await visitor.get(`${identity.issuer}/session/end`), '/session/end/confirm', { logout: 'yes' })
  const isAccepted = async () => (await fetch(`${identity.issuer}/client`, { headers })).status === 200
  expect(await acceptedForMs(isAccepted)).toBeLessThan(1_000)
})

test('a code for a platform token works once, even concurrently', async () => {
  await using identity = await startIdentity()
  const { client_id, client_secret } = await identity.client()
  await identity.approve(client_id)
  await identity.person()
  const request = { client_id, redirect_uri: redirectUri, response_type: 'code', scope: 'openid platform', state: 'st' }
  const query = new URLSearchParams({ ...request, resource: 'urn:icosa:platform' })
  const visitor = identity.browser()
  const end = await signIn(visitor, await visitor.get(`${identity.issuer}/authorize?${query}`))
  const code = end.location?.searchParams.get('code') ?? ''
  const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, client_id, client_secret }
  const responses = await Promise.all(
    Array.from({ length: 50 }, () =>
      fetch(`${identity.issuer}/token`, { method: 'POST', body: new URLSearchParams(form) }),
    ),
  )
  const succeeded = responses.filter(({ status }) => status === 200)
  expect(succeeded).toHaveLength(1)
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200, 400]))

  // The replay revoked the token.
  const { access_token } = await jsonOf<Token>(succeeded[0] as Response)
  const use = () => fetch(`${identity.issuer}/client`, { headers: { authorization: `Bearer ${access_token}` } })
  expect(await acceptedForMs(async () => (await use()).status === 200)).toBeLessThan(1_000)
})

test('a second node rejects a revoked token within a second', async () => {
  await using identity = await startIdentity()
  const { app } = identity
  const services = [identityConnect()]
  await using second = await startTestApp({ services, databaseUrl: app.databaseUrl })
  const { id, key } = await keyOf(identity)
  const { access_token } = await jsonOf<Token>(await machine(app.url, 'acme', id, key))
  const use = (url: string) =>
    fetch(`${url}/identity-connect/client`, { headers: { authorization: `Bearer ${access_token}` } })
  expect([(await use(app.url)).status, (await use(second.url)).status]).toEqual([200, 200])

  await revokeCredential(app.platform.database, app.platform.clock, id)
  const acceptedMs = await acceptedForMs(async () => (await use(second.url)).status === 200)
  console.log(`accepted by the second node for ${Math.round(acceptedMs)} ms`)
  expect(acceptedMs).toBeLessThan(1_000)
})

test('keys are rotated three times under load without a rejected token', async () => {
  await using identity = await startIdentity()
  const { database, clock, cellVault } = identity.app.platform
  const { id, key } = await keyOf(identity)
  const keyIds = new Set<string | undefined>()
  let verified = 0
  let isOver = false
  const failures: unknown[] = []
  const load = Array.from({ length: 8 }, async () => {
    while (!isOver) {
      const issued = await machine(identity.app.url, 'acme', id, key)
      const { access_token } = await jsonOf<Token>(issued)
      const used = await fetch(`${identity.issuer}/client`, { headers: { authorization: `Bearer ${access_token}` } })
      if (issued.status !== 200 || used.status !== 200) failures.push([issued.status, used.status])
      else keyIds.add(decodeProtectedHeader(access_token).kid)
      verified++
    }
  })
  for (let rotations = 0; rotations < 3; rotations++) {
    await expect.poll(() => keyIds.size, { timeout: 20_000, interval: 10 }).toBe(rotations + 1)
    await rotateSigningKeys(database, clock, cellVault, { publishAheadMs: 0 })
  }
  await expect.poll(() => keyIds.size, { timeout: 20_000, interval: 10 }).toBe(4)
  isOver = true
  await Promise.all(load)
  console.log(`${verified} tokens issued and used, ${keyIds.size} keys, ${failures.length} failures`)
  expect(failures).toEqual([])
})
