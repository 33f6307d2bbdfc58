import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Ask, approved, startContributions, type World } from '../testing/app.ts'
import { countGuess } from './store.ts'

let world: World
let desk: Ask
beforeAll(async () => {
  world = await startContributions({}, { trustedProxies: 1 })
  desk = await world.tenant()
})
afterAll(() => world[Symbol.asyncDispose]())

const password = 'a long enough password'
const grant = (form: Record<string, string>, headers: Record<string, string> = {}) =>
  fetch(`${world.url}/token`, { method: 'POST', body: new URLSearchParams(form), headers })

test('the password grant issues a token, as clients of the original request it', async () => {
  const body = { username: 'Grace', password, displayName: 'Grace H.', scopes: ['full'] }
  const { body: user } = await desk.createUser({ body })
  const form = { grant_type: 'password', username: 'grace', password, scope: 'full' }
  // The base address of the original ends in its version.
  const response = await fetch(`${world.url}/1/token`, {
    method: 'POST',
    body: new URLSearchParams(form),
    headers: { authorization: `Basic ${btoa('newsroom-app:whatever')}` },
  })
  expect(response.status).toBe(200)
  expect(response.headers.get('cache-control')).toBe('no-store')
  const token = (await response.json()) as { access_token: string }
  expect(token).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: 'full' })
  const ask = world.as(token.access_token)
  const { body: authority } = await ask.verifyToken({})
  expect(authority).toMatchObject({
    client: { id: 'newsroom-app' },
    user: { id: user.id, username: 'Grace', displayName: 'Grace H.' },
  })
  const { body: narrower } = await ask.createToken({ body: { ...form, scope: 'read contribute' } })
  expect(narrower.scope, 'a full user can request less').toBe('read contribute')
  await ask.linkProfile({ params: { id: user.id, type: 'site' }, body: { id: 'g', email: 'g@site.example' } })
  expect((await ask.listCredentials({})).body).toEqual([
    { type: 'token', user: user.id, value: authority.id, scopes: ['full'] },
    { type: 'password', user: user.id, value: 'grace', scopes: ['full'] },
    { type: 'linked site', user: user.id, value: 'g', scopes: [] },
  ])
  expect((await ask.listUsers({ query: { linkedProfile: 'site' } })).body).toMatchObject([{ id: user.id }])
  const { body: profile } = await (await world.user(desk, 'Nosy')).ask.getLinkedProfile({
    params: { id: user.id, type: 'site' },
  })
  expect(profile, 'email addresses are private').not.toHaveProperty('email')
})

test('errors of the token endpoint follow OAuth 2.0', async () => {
  await desk.createUser({ body: { username: 'reader', password, scopes: ['read'] } })
  const error = async (form: Record<string, string>) => {
    const response = await grant(form)
    return [response.status, ((await response.json()) as { error: string }).error]
  }
  const form = { grant_type: 'password', username: 'reader', password }
  expect(await error({ ...form, password: 'another password' })).toEqual([400, 'invalid_grant'])
  expect(await error({ ...form, username: 'no.such.user' })).toEqual([400, 'invalid_grant'])
  expect(await error({ ...form, grant_type: 'client_credentials' })).toEqual([400, 'unsupported_grant_type'])
  expect(await error({ ...form, scope: 'everything' })).toEqual([400, 'invalid_scope'])
  expect(await error({ ...form, scope: 'full' }), 'not more than the user has').toEqual([400, 'invalid_scope'])
  expect(await error({ grant_type: 'password' })).toEqual([400, 'invalid_request'])
  expect(await error({})).toEqual([400, 'invalid_request'])
})

test('password guesses are limited, also for unknown names', async () => {
  await desk.createUser({ body: { username: 'locked', password } })
  for (const username of ['locked', 'no.such.person']) {
    let refused = 0
    for (let nth = 0; nth < 22; nth++)
      refused += (await grant({ grant_type: 'password', username, password: 'wrong password' })).status === 429 ? 1 : 0
    expect(refused).toBe(2)
  }
  expect((await grant({ grant_type: 'password', username: 'locked', password })).status).toBe(429)
  await world.app.clock.advance(16 * 60_000)
  expect((await grant({ grant_type: 'password', username: 'locked', password })).status).toBe(200)
}, 120_000)

test('an attacker can neither lock a user out nor guess forever from many addresses', async () => {
  await desk.createUser({ body: { username: 'hunted', password } })
  const from = async (address: string, attempt: string) =>
    (await grant({ grant_type: 'password', username: 'hunted', password: attempt }, { 'x-forwarded-for': address }))
      .status
  expect(await from('192.0.2.1', password), 'at home').toBe(200)
  // One IPv6 customer has a whole network of addresses.
  const guesses = Array.from({ length: 21 }, (_, nth) => `2001:db8::${nth + 1}`)
  for (const address of guesses.slice(0, 20)) expect(await from(address, 'wrong password')).toBe(400)
  expect(await from(guesses.at(-1) as string, password)).toBe(429)
  expect(await from('198.51.100.1', password), 'from a new network').toBe(200)
  const key = createHash('sha256').update('hunted').digest('base64url')
  const { database, clock } = world.app.platform
  for (let nth = 0; nth < 200; nth++) await countGuess(database, key, clock.now(), new Date(0))
  expect(await from('203.0.113.1', password), 'from a network without a sign-in').toBe(429)
  expect(await from('192.0.2.1', password)).toBe(200)
}, 120_000)

test('a token allows what its scopes grant, and no more', async () => {
  const { params, assignment } = await approved(desk)
  const asScope = async (scope: string) => (await world.user(desk, `With ${scope}`, [scope])).ask
  const contribute = { assignment: { id: assignment.id }, headline: 'Mine' }
  const refused = { status: 403 }
  const reader = await asScope('read')
  await reader.getContribution({ params })
  await expect(reader.likeContribution({ params })).rejects.toMatchObject(refused)
  await expect(reader.createContribution({ body: contribute })).rejects.toMatchObject(refused)
  const author = await asScope('contribute')
  await author.createContribution({ body: contribute })
  await expect(author.createAssignment({ body: { name: 'No' } })).rejects.toMatchObject(refused)
  const manager = await asScope('manage')
  await manager.createAssignment({ body: { name: 'Yes' } })
  await expect(manager.moderateContribution({ params, body: { action: { id: 'reject' } } })).rejects.toMatchObject(
    refused,
  )
  const full = await asScope('full')
  await expect(
    full.createUser({ body: { username: 'made.by.user', password } }),
    'only the tenant creates users',
  ).rejects.toMatchObject(refused)
  expect((await reader.listScopes({})).body).toEqual(['full', 'read', 'contribute', 'moderate', 'manage'])
})

test('tenants do not see each other’s users, but user names are globally unique', async () => {
  const other = await world.tenant('other')
  const { id } = await world.user(desk, 'Local')
  await expect(other.getUser({ params: { id } })).rejects.toMatchObject({ status: 404 })
  expect((await other.listUsers({})).body).toEqual([])
  await desk.createUser({ body: { username: 'unique.name', password } })
  await expect(other.createUser({ body: { username: 'Unique.Name', password } })).rejects.toMatchObject({
    status: 400,
    body: { fields: [{ name: 'username' }] },
  })
  expect((await other.listUsers({})).body, 'the attempt leaves nothing behind').toEqual([])
})

test('users can be filtered by their contributions', async () => {
  const author = await world.user(desk, 'Prolific')
  const { body: assignment } = await desk.createAssignment({ body: { name: 'Counted' } })
  const place = { country: 'PT' }
  for (let nth = 0; nth < 3; nth++)
    await author.ask.createContribution({ body: { assignment: { id: assignment.id }, headline: `No. ${nth}`, place } })
  const ids = async (query: Parameters<Ask['listUsers']>[0]['query']) =>
    (await desk.listUsers({ query: query as NonNullable<typeof query> })).body.map((user) => user.id)
  expect(await ids({ assignment: assignment.id })).toEqual([author.id])
  expect(await ids({ assignment: assignment.id, minimumContributions: 3 })).toEqual([author.id])
  expect(await ids({ assignment: assignment.id, minimumContributions: 4 })).toEqual([])
  expect(await ids({ country: 'PT' })).toEqual([author.id])
  expect(await ids({ country: 'PT', submittedBefore: '2020-01-01T00:00:00Z' })).toEqual([])
  expect(await ids({ country: 'PT', submittedAfter: '2020-01-01T00:00:00Z' })).toEqual([author.id])
  expect(await ids({ ownedBy: assignment.ownedBy as string, assignment: assignment.id })).toEqual([author.id])
})
