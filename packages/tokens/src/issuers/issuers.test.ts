import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { elapse } from '@icosa/testing'
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose'
import { expect, test } from 'vitest'
import { signingKeySet } from '../keys/key-set.ts'
import { revoke } from '../revocations/store.ts'
import { claimsOf, issue } from '../testing/issue.ts'
import { startTokenApp } from '../testing/node.ts'
import { jwtTokens } from '../verify/verifier.ts'
import { foreignName, type TrustedIssuer } from './trusted-issuer.ts'

type SigningKey = Awaited<ReturnType<typeof createKey>>

async function createKey(alg: string, kid?: string) {
  const { publicKey, privateKey } = await generateKeyPair(alg, { modulusLength: 2048, extractable: true })
  const jwk = await exportJWK(publicKey)
  const publicJwk: JWK = { ...jwk, alg, use: 'sig', kid: kid ?? (await calculateJwkThumbprint(jwk)) }
  return { alg, kid: publicJwk.kid ?? '', jwk: publicJwk, privateKey }
}

/** Another organization's identity provider, on this machine. */
async function startIssuer(...first: SigningKey[]) {
  let keys = first
  let answer = (path: string): unknown => {
    if (path === '/.well-known/openid-configuration') return { issuer, jwks_uri: `${issuer}/keys` }
    return path === '/keys' ? { keys: keys.map(({ jwk }) => jwk) } : undefined
  }
  const requests: string[] = []
  const server: Server = createServer(({ url = '' }, response) => {
    requests.push(url)
    const body = answer(url)
    response.writeHead(body === undefined ? 404 : 200).end(JSON.stringify(body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    issuer,
    requests,
    publish(...others: SigningKey[]) {
      keys = others
    },
    answerWith(other: (path: string) => unknown) {
      answer = other
    },
    sign: ({ alg, kid, privateKey }: SigningKey, claims: JWTPayload = {}, header: object = {}) =>
      new SignJWT(claimsOf({ iss: issuer, aud: 'our-api', sub: 'carla', ...claims }))
        .setProtectedHeader({ alg, kid, typ: 'JWT', ...header })
        .sign(privateKey),
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
    },
  }
}

const trust = (issuer: string, more: Partial<TrustedIssuer> = {}): { trustedIssuers: [TrustedIssuer] } => ({
  trustedIssuers: [{ issuer, audience: 'our-api', tenant: 'guests', permissions: ['example:get*'], ...more }],
})

test.each(['RS256', 'PS256', 'ES256', 'EdDSA'])(
  'a foreign token signed with %s has the rights configured by the operator',
  async (alg) => {
    const key = await createKey(alg)
    await using app = await startTokenApp()
    await using foreign = await startIssuer(key)
    const tokens = app.node(trust(foreign.issuer))
    const greedy = { sub: 'person_ada', tenant: 'ada', permissions: ['*'], client_id: 'c', grant_id: 'g' }
    const token = await foreign.sign(key, greedy)

    const caller = await tokens.callerOf(token)
    expect(caller).toMatchObject({ id: `${foreign.issuer} person_ada`, tenant: 'guests' })
    expect(caller?.allows('example:getNote')).toBe(true)
    expect(caller?.allows('example:deleteNote')).toBe(false)
    expect(tokens.verify(token), 'from memory').toBe(caller)
    expect(foreign.requests).toEqual(['/.well-known/openid-configuration', '/keys'])
    expect(await tokens.callerOf(await foreign.sign(key, {}, { typ: 'at+jwt' }))).toBeDefined()
    expect(await tokens.callerOf(await issue(app)), 'our own tokens still work').toMatchObject({ id: 'person_ada' })
  },
)

test('claims determine tenant and permissions if the operator configures it', async () => {
  const key = await createKey('ES256')
  await using app = await startTokenApp()
  await using foreign = await startIssuer(key)
  const rules = { tenant: undefined, tenantClaim: 'org', permissions: undefined, permissionsClaim: 'scope' }
  const tokens = app.node(trust(foreign.issuer, { ...rules, jwksUri: `${foreign.issuer}/keys` }))
  const callerWith = async (claims: JWTPayload) => tokens.callerOf(await foreign.sign(key, claims))

  const caller = await callerWith({ org: 'carlas', scope: 'openid example:list* (a+)+:x' })
  expect(caller).toMatchObject({ tenant: 'carlas' })
  expect(['example:listNotes', 'example:getNote', 'openid'].map((name) => caller?.allows(name))).toEqual([
    true,
    false,
    false,
  ])
  expect((await callerWith({ org: 'carlas', scope: ['example:get*', 7] }))?.allows('example:getNote')).toBe(true)
  expect((await callerWith({ org: 'carlas', permissions: ['*'] }))?.allows('example:getNote')).toBe(false)
  expect(await callerWith({ tenant: 'ada' })).toBeUndefined()
  expect(await callerWith({ org: 'two words' })).toBeUndefined()
  expect(await callerWith({ org: ['carlas'] })).toBeUndefined()
  expect(foreign.requests, 'no discovery if the address is configured').toEqual(['/keys'])
})

test('a foreign token has no permissions by default', async () => {
  const key = await createKey('ES256')
  await using app = await startTokenApp()
  await using foreign = await startIssuer(key)
  const tokens = app.node(trust(foreign.issuer, { permissions: undefined }))
  const token = await foreign.sign(key, { permissions: ['*'], scope: '*', '': ['*'], undefined: ['*'] })
  expect((await tokens.callerOf(token))?.allows('example:getNote')).toBe(false)
})

test('invalid foreign tokens are refused', async () => {
  const [key, other] = [await createKey('ES256'), await createKey('ES256')]
  await using app = await startTokenApp()
  await using foreign = await startIssuer(key)
  const tokens = app.node(trust(foreign.issuer))
  expect(await tokens.callerOf(await foreign.sign(key))).toBeDefined()
  const invalid = {
    'another audience': foreign.sign(key, { aud: 'urn:icosa:platform' }),
    expired: foreign.sign(key, { exp: 1 }),
    'no subject': foreign.sign(key, { sub: '' }),
    'an unknown issuer': foreign.sign(
      key,
      { iss: 'https://elsewhere.test', aud: 'urn:icosa:platform' },
      { typ: 'at+jwt' },
    ),
    'a foreign key': foreign.sign({ ...other, kid: key.kid }),
    'a foreign key in the header': foreign.sign(other, {}, { jwk: other.jwk }),
    'another type': foreign.sign(key, {}, { typ: 'logout+jwt' }),
    HS256: new SignJWT(claimsOf({ iss: foreign.issuer, aud: 'our-api' }))
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT', kid: key.kid })
      .sign(Buffer.from(JSON.stringify(key.jwk))),
  }
  for (const [why, token] of Object.entries(invalid)) expect(await tokens.callerOf(await token), why).toBeUndefined()
})

test('an issuer with a key ID of ours cannot sign our tokens, nor we theirs', async () => {
  await using app = await startTokenApp()
  const { keys } = await signingKeySet(app.db, app.cellVault, app.clock.now())
  const ownKid = keys[0]?.kid ?? ''
  const key = await createKey('ES256', ownKid)
  await using foreign = await startIssuer(key)
  const tokens = app.node({ ...trust(foreign.issuer), audience: 'our-api' })

  expect(await tokens.callerOf(await foreign.sign(key))).toMatchObject({ tenant: 'guests' })
  expect(await tokens.callerOf(await issue(app, { aud: 'our-api' }))).toMatchObject({ tenant: 'ada' })
  expect(
    await tokens.callerOf(await foreign.sign(key, { iss: 'https://platform.test' }, { typ: 'at+jwt' })),
  ).toBeUndefined()
  expect(await tokens.callerOf(await issue(app, { aud: 'our-api', iss: foreign.issuer }))).toBeUndefined()
})

test('keys rotated by an issuer are fetched on demand, at most every ten seconds', async () => {
  const [old, fresh, unpublished] = [await createKey('RS256'), await createKey('ES256'), await createKey('ES256')]
  await using app = await startTokenApp()
  await using foreign = await startIssuer(old)
  const tokens = app.node(trust(foreign.issuer, { jwksUri: `${foreign.issuer}/keys` }))
  expect(await tokens.callerOf(await foreign.sign(old))).toBeDefined()
  foreign.publish(fresh, old)
  elapse(10_000)
  const callers = await Promise.all(
    [fresh, old, fresh, old].map(async (key) => tokens.callerOf(await foreign.sign(key))),
  )
  expect(callers.map((caller) => caller?.tenant)).toEqual(['guests', 'guests', 'guests', 'guests'])
  expect(foreign.requests).toHaveLength(2)
  for (let n = 0; n < 20; n++) expect(await tokens.callerOf(await foreign.sign(unpublished))).toBeUndefined()
  expect(foreign.requests).toHaveLength(2)
})

test('a foreign person or token is revoked by a name that includes the issuer', async () => {
  const key = await createKey('ES256')
  await using app = await startTokenApp()
  await using foreign = await startIssuer(key)
  const tokens = app.node(trust(foreign.issuer))
  const [byPerson, byToken, other] = await Promise.all([
    foreign.sign(key, { sub: 'carla' }),
    foreign.sign(key, { sub: 'dora', jti: 'token-1' }),
    foreign.sign(key, { sub: 'emil', jti: 'token-2' }),
  ])
  await revoke(app.db, 'emil') // one of our own users with the same name
  for (const token of [byPerson, byToken, other]) expect(await tokens.callerOf(token)).toBeDefined()
  await revoke(app.db, foreignName(foreign.issuer, 'carla'))
  await revoke(app.db, foreignName(foreign.issuer, 'token-1'))
  elapse(2_000)
  expect(await tokens.callerOf(byPerson)).toBeUndefined()
  expect(await tokens.callerOf(byToken)).toBeUndefined()
  expect(await tokens.callerOf(other)).toBeDefined()
})

test.each<[string, (issuer: string) => (path: string) => unknown]>([
  ['is missing', () => () => undefined],
  ['returns other JSON', () => () => ['no']],
  ['names another issuer', () => () => ({ issuer: 'https://elsewhere.test', jwks_uri: 'https://elsewhere.test' })],
  ['has its keys in a private network', (issuer) => () => ({ issuer, jwks_uri: 'http://10.0.0.1/keys' })],
  [
    'sends a flood',
    (issuer) => (path) => (path === '/keys' ? 'x'.repeat(300_000) : { issuer, jwks_uri: `${issuer}/keys` }),
  ],
])('an issuer that %s: its callers get a retryable error, our tokens still work', async (_, answer) => {
  const key = await createKey('ES256')
  await using app = await startTokenApp()
  await using foreign = await startIssuer(key)
  foreign.answerWith(answer(foreign.issuer))
  const tokens = app.node(trust(foreign.issuer))
  const token = await foreign.sign(key)
  const message = `The keys of '${foreign.issuer}' cannot be read: try again later.`
  for (let n = 0; n < 10; n++)
    await expect(tokens.callerOf(token)).rejects.toMatchObject({ kind: 'unavailable', message })
  expect(foreign.requests.length, 'failures are cached for a second').toBeLessThanOrEqual(2)
  expect(await tokens.callerOf(await issue(app))).toBeDefined()
})

test.each<[string, object]>([
  ['trustedIssuers/0/issuer', { issuer: 'login.example.com' }],
  ['trustedIssuers/0/audience', { audience: '' }],
  ['trustedIssuers/0/tenant', { tenant: undefined }],
  ['trustedIssuers/0/tenant', { tenantClaim: 'org' }],
  ['trustedIssuers/0/tenant', { tenant: 'two words' }],
  ['trustedIssuers/0/tenantClaim', { tenant: undefined, tenantClaim: '' }],
  ['trustedIssuers/0/permissions', { permissionsClaim: 'scope' }],
  ['trustedIssuers/0/permissions', { permissions: ['everything'] }],
  ['trustedIssuers/0/jwksUri', { jwksUri: 'http://login.example.com/keys' }],
])('names an invalid setting: %s', (at, change) => {
  const valid = trust('https://login.example.com')
  expect(() => jwtTokens(valid)).not.toThrow()
  expect(() => jwtTokens(trust('https://login.example.com', change))).toThrow(at)
  expect(() => jwtTokens({ trustedIssuers: [...valid.trustedIssuers, ...valid.trustedIssuers] })).toThrow('twice')
})
