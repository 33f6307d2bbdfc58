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

type SigningKey = Awaited<ReturnType<typeof makeKey>>

async function makeKey(alg: string, kid?: string) {
  const { publicKey, privateKey } = await generateKeyPair(alg, { modulusLength: 2048, extractable: true })
  const jwk = await exportJWK(publicKey)
  const named: JWK = { ...jwk, alg, use: 'sig', kid: kid ?? (await calculateJwkThumbprint(jwk)) }
  return { alg, kid: named.kid ?? '', jwk: named, privateKey }
}

/** Another organization's identity provider, on this machine. */
async function startIssuer(...first: SigningKey[]) {
  let keys = first
  let answer = (path: string): unknown => {
    if (path === '/.well-known/openid-configuration') return { issuer, jwks_uri: `${issuer}/keys` }
    return path === '/keys' ? { keys: keys.map(({ jwk }) => jwk) } : undefined
  }
  const asked: string[] = []
  const server: Server = createServer(({ url = '' }, response) => {
    asked.push(url)
    const body = answer(url)
    response.writeHead(body === undefined ? 404 : 200).end(JSON.stringify(body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    issuer,
    asked,
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
  'a foreign token signed with %s has what the operator says',
  async (alg) => {
    const key = await makeKey(alg)
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
    expect(foreign.asked).toEqual(['/.well-known/openid-configuration', '/keys'])
    expect(await tokens.callerOf(await foreign.sign(key, {}, { typ: 'at+jwt' }))).toBeDefined()
    expect(await tokens.callerOf(await issue(app)), 'our own work beside it').toMatchObject({ id: 'person_ada' })
  },
)

test('claims name tenant and permissions where the operator says so', async () => {
  const key = await makeKey('ES256')
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
  expect(foreign.asked, 'no discovery where the address is given').toEqual(['/keys'])
})

test('a foreign token may do nothing where the operator says nothing', async () => {
  const key = await makeKey('ES256')
  await using app = await startTokenApp()
  await using foreign = await startIssuer(key)
  const tokens = app.node(trust(foreign.issuer, { permissions: undefined }))
  const token = await foreign.sign(key, { permissions: ['*'], scope: '*', '': ['*'], undefined: ['*'] })
  expect((await tokens.callerOf(token))?.allows('example:getNote')).toBe(false)
})

test('a foreign token that is not right is refused', async () => {
  const [key, stranger] = [await makeKey('ES256'), await makeKey('ES256')]
  await using app = await startTokenApp()
  await using foreign = await startIssuer(key)
  const tokens = app.node(trust(foreign.issuer))
  expect(await tokens.callerOf(await foreign.sign(key))).toBeDefined()
  const wrong = {
    'another audience': foreign.sign(key, { aud: 'urn:icosa:platform' }),
    expired: foreign.sign(key, { exp: 1 }),
    'no subject': foreign.sign(key, { sub: '' }),
    'an unknown issuer': foreign.sign(
      key,
      { iss: 'https://elsewhere.test', aud: 'urn:icosa:platform' },
      { typ: 'at+jwt' },
    ),
    'a key of somebody else': foreign.sign({ ...stranger, kid: key.kid }),
    'a key of somebody else, brought along': foreign.sign(stranger, {}, { jwk: stranger.jwk }),
    'another type': foreign.sign(key, {}, { typ: 'logout+jwt' }),
    HS256: new SignJWT(claimsOf({ iss: foreign.issuer, aud: 'our-api' }))
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT', kid: key.kid })
      .sign(Buffer.from(JSON.stringify(key.jwk))),
  }
  for (const [why, token] of Object.entries(wrong)) expect(await tokens.callerOf(await token), why).toBeUndefined()
})

test('a foreign key under the name of one of ours opens nothing of ours, and ours nothing of theirs', async () => {
  await using app = await startTokenApp()
  const { keys } = await signingKeySet(app.db, app.vault, app.clock.now())
  const ownKid = keys[0]?.kid ?? ''
  const key = await makeKey('ES256', ownKid)
  await using foreign = await startIssuer(key)
  const tokens = app.node({ ...trust(foreign.issuer), audience: 'our-api' })

  expect(await tokens.callerOf(await foreign.sign(key))).toMatchObject({ tenant: 'guests' })
  expect(await tokens.callerOf(await issue(app, { aud: 'our-api' }))).toMatchObject({ tenant: 'ada' })
  expect(
    await tokens.callerOf(await foreign.sign(key, { iss: 'https://platform.test' }, { typ: 'at+jwt' })),
  ).toBeUndefined()
  expect(await tokens.callerOf(await issue(app, { aud: 'our-api', iss: foreign.issuer }))).toBeUndefined()
})

test('an issuer rotates its keys: the new one is fetched when needed, at most every ten seconds', async () => {
  const [old, fresh, unpublished] = [await makeKey('RS256'), await makeKey('ES256'), await makeKey('ES256')]
  await using app = await startTokenApp()
  await using foreign = await startIssuer(old)
  const tokens = app.node(trust(foreign.issuer, { jwksUri: `${foreign.issuer}/keys` }))
  expect(await tokens.callerOf(await foreign.sign(old))).toBeDefined()
  foreign.publish(fresh, old)
  elapse(10_000)
  const all = await Promise.all([fresh, old, fresh, old].map(async (key) => tokens.callerOf(await foreign.sign(key))))
  expect(all.map((caller) => caller?.tenant)).toEqual(['guests', 'guests', 'guests', 'guests'])
  expect(foreign.asked).toHaveLength(2)
  for (let n = 0; n < 20; n++) expect(await tokens.callerOf(await foreign.sign(unpublished))).toBeUndefined()
  expect(foreign.asked).toHaveLength(2)
})

test('a foreign person or token is revoked under the issuer’s name', async () => {
  const key = await makeKey('ES256')
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
  ['is not there', () => () => undefined],
  ['is not JSON of the right kind', () => () => ['no']],
  ['speaks for somebody else', () => () => ({ issuer: 'https://elsewhere.test', jwks_uri: 'https://elsewhere.test' })],
  ['keeps its keys in a private network', (issuer) => () => ({ issuer, jwks_uri: 'http://10.0.0.1/keys' })],
  [
    'sends a flood',
    (issuer) => (path) => (path === '/keys' ? 'x'.repeat(300_000) : { issuer, jwks_uri: `${issuer}/keys` }),
  ],
])('an issuer that %s: callers are told to try again, and ours go on', async (_, answer) => {
  const key = await makeKey('ES256')
  await using app = await startTokenApp()
  await using foreign = await startIssuer(key)
  foreign.answerWith(answer(foreign.issuer))
  const tokens = app.node(trust(foreign.issuer))
  const token = await foreign.sign(key)
  const message = `The keys of '${foreign.issuer}' cannot be read: try again later.`
  for (let n = 0; n < 10; n++)
    await expect(tokens.callerOf(token)).rejects.toMatchObject({ kind: 'unavailable', message })
  expect(foreign.asked.length, 'a failure is remembered for a second').toBeLessThanOrEqual(2)
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
])('a wrong setting is named: %s', (at, wrong) => {
  const right = trust('https://login.example.com')
  expect(() => jwtTokens(right)).not.toThrow()
  expect(() => jwtTokens(trust('https://login.example.com', wrong))).toThrow(at)
  expect(() => jwtTokens({ trustedIssuers: [...right.trustedIssuers, ...right.trustedIssuers] })).toThrow('twice')
})
