import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as logs from '../logs/store.ts'
import { at, type FunctionsApp, hello, publicPolicy, startFunctions, type Tenant } from '../testing/app.ts'

let app: FunctionsApp
let acme: Tenant
beforeAll(async () => {
  app = await startFunctions()
  acme = await app.tenant()
})
afterAll(() => app[Symbol.asyncDispose]())

const patience = { timeout: 120_000, interval: 100 }

async function uriOf(name: string): Promise<string> {
  return (await acme.getFunction({ params: at(name) })).body.serviceConfig?.uri ?? ''
}

/** Calls with the owner's key by default. */
const call = async (uri: string, init: RequestInit = {}, key = acme.key) => {
  const response = await fetch(uri, { ...init, headers: { authorization: `Bearer ${key}`, ...init.headers } })
  return { status: response.status, body: await response.text(), headers: response.headers }
}

const echo = {
  'index.js': `exports.hello = (request, response) => {
    console.log('called with', request.method)
    response.set('x-own', 'yes').status(Number(request.query.status ?? 200)).json({
      method: request.method, url: request.url, headers: request.headers, body: request.body, color: process.env.COLOR,
    })
  }\n`,
}

test('a URL accepts any method, and the function gets the path below it', async () => {
  const body = { serviceConfig: { environmentVariables: { COLOR: 'blue' } } }
  expect((await acme.deploy('echo', echo, { body })).response).toMatchObject({ state: 'ACTIVE' })
  const uri = await uriOf('echo')
  const first = await call(uri)
  expect(first).toMatchObject({ status: 200 })
  expect(first.headers.get('x-own')).toBe('yes')
  expect(JSON.parse(first.body)).toMatchObject({ method: 'GET', url: '/', color: 'blue' })
  const json = { 'content-type': 'application/json' }
  const put = await call(`${uri}/a/b%20c?status=418&x=1`, { method: 'PUT', headers: json, body: '{"n":1}' })
  expect(put.status).toBe(418)
  expect(JSON.parse(put.body)).toMatchObject({ method: 'PUT', url: '/a/b%20c?status=418&x=1', body: { n: 1 } })
  expect(JSON.parse(put.body).headers).not.toHaveProperty('authorization') // keys of the platform are not forwarded
  expect((await call(`${uri}?x=1`, { method: 'DELETE' })).body).toContain('"/?x=1"')
  expect((await call(`${uri}/q`, { method: 'QUERY', headers: json, body: '{"n":2}' })).body).toContain(
    '"QUERY","url":"/q"',
  )
  const encoded = uri.replace('/run/e', '/%72un/%65')
  expect(JSON.parse((await call(`${encoded}/a%2Fb?x=1`)).body)).toMatchObject({ url: '/a%2Fb?x=1' })

  const id = put.headers.get('function-execution-id')
  expect(id).toMatch(/^\w{10,}$/)
  const lines = async () => {
    const newest = await logs.newest(app.platform.database, 'acme', at('echo'), 100)
    return newest.filter(({ invocation }) => invocation === id).map(({ stream, text }) => `${stream}: ${text}`)
  }
  const expected = ['stdout: called with PUT', expect.stringMatching(/^platform: PUT \/a\/b%20c 418 in \d/)]
  await expect.poll(lines, patience).toEqual(expect.arrayContaining(expected))
})

test('a policy admits its members, and others learn what is missing', async () => {
  await acme.deploy('guarded', hello)
  const uri = await uriOf('guarded')
  const other = await app.key('other')
  const caller = await app.platform.credentials.byKey(other)
  const withoutKey = async () => {
    const response = await fetch(uri)
    return { status: response.status, body: await response.text() }
  }
  expect(await withoutKey()).toMatchObject({ status: 401, body: expect.stringContaining('allUsers') })
  expect(await call(uri, {}, 'icosa_invalid')).toMatchObject({ status: 401 })
  expect(await call(uri, {}, other)).toMatchObject({
    status: 403,
    body: expect.stringContaining(`user:${caller?.id}`),
  })
  const unauthorized = await call(uri, {}, await app.key('acme', ['functions:get*']))
  expect(unauthorized).toMatchObject({ status: 403, body: expect.stringContaining('functions:invokeFunction') })
  expect(await call(uri, {}, await app.key('acme', ['functions:invoke*']))).toMatchObject({ status: 200 })

  const allow = (member: string) => {
    const policy = { bindings: [{ role: 'roles/run.invoker', members: [member] }] }
    return acme.setIamPolicy({ params: at('guarded'), body: { policy } })
  }
  const expectSoon = async (ask: () => Promise<{ status: number }>, status: number) =>
    expect.poll(async () => (await ask()).status, patience).toBe(status)
  await allow(`serviceAccount:${caller?.id}`)
  await expectSoon(() => call(uri, {}, other), 200)
  await allow('allAuthenticatedUsers')
  await expectSoon(async () => call(uri, {}, await app.key('another')), 200)
  expect(await withoutKey()).toMatchObject({ status: 401 })
  await allow('allUsers')
  await expectSoon(withoutKey, 200)
  expect(await call(uri, {}, 'a token of its own')).toMatchObject({ status: 200 })
})

test('bodies of many megabytes pass both ways', async () => {
  const through = {
    'index.js': `exports.hello = (request, response) => {
      response.set('content-type', 'application/octet-stream').send(request.rawBody)
    }\n`,
  }
  await acme.deploy('through', through, { body: { serviceConfig: { availableMemory: '512M' } } })
  const content = randomBytes(8 * 2 ** 20)
  const headers = { 'content-type': 'application/octet-stream', authorization: `Bearer ${acme.key}` }
  const response = await fetch(await uriOf('through'), { method: 'POST', body: content, headers })
  const sha = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
  expect(response.status).toBe(200)
  expect(sha(Buffer.from(await response.arrayBuffer()))).toBe(sha(content))
})

test('a new revision takes over without a failed request, unless it does not start', async () => {
  const returning = (word: string) => ({
    'index.js': `exports.hello = (request, response) => response.send('${word}')\n`,
  })
  await acme.deploy('changing', returning('old'))
  await acme.setIamPolicy({ params: at('changing'), body: publicPolicy })
  const uri = await uriOf('changing')
  await expect.poll(async () => (await fetch(uri)).status, patience).toBe(200)
  const change = async (files: Readonly<Record<string, string>>) => {
    const buildConfig = { source: { storageSource: await acme.upload(files) } }
    return acme.waitFor((await acme.updateFunction({ params: at('changing'), body: { buildConfig } })).body)
  }
  const counts = new Map<string, number>()
  let isDone = false
  const requests = (async () => {
    while (!isDone) {
      const response = await fetch(uri)
      const text = `${response.status} ${await response.text()}`
      counts.set(text, (counts.get(text) ?? 0) + 1)
    }
  })()
  expect((await change(returning('new'))).response).toMatchObject({ state: 'ACTIVE' })
  await expect.poll(() => counts.has('200 new'), patience).toBe(true)
  const broken = await change({ 'index.js': "throw new Error('no luck at the start')\n" })
  isDone = true
  await requests
  expect([...counts.keys()].sort()).toEqual(['200 new', '200 old'])
  expect(broken.error?.message).toContain('no luck at the start')
  expect((await acme.getFunction({ params: at('changing') })).body).toMatchObject({
    state: 'FAILED',
    stateMessages: [{ type: 'NotHealthy', message: expect.stringContaining('no luck at the start') }],
  })
  expect(await (await fetch(uri)).text()).toBe('new')
})

test('a missing entry point fails the deployment by name', async () => {
  const { error } = await acme.deploy('pointless', hello, { entryPoint: 'goodbye' })
  expect(error?.message).toContain('goodbye')
  const { status, body } = await call(await uriOf('pointless'))
  expect({ status, body }).toMatchObject({ status: 503, body: expect.stringContaining('stateMessages') })
})

test('ingress settings and security level are enforced', async () => {
  await acme.deploy('inside', hello, { body: { serviceConfig: { ingressSettings: 'ALLOW_INTERNAL_ONLY' } } })
  expect(await call(await uriOf('inside'))).toMatchObject({
    status: 403,
    body: expect.stringContaining('INTERNAL_ONLY'),
  })
  await acme.deploy('secure', hello, { body: { serviceConfig: { securityLevel: 'SECURE_ALWAYS' } } })
  expect(await call(await uriOf('secure'))).toMatchObject({ status: 403, body: expect.stringContaining('https') })
})

test('secrets are visible to the function only, and a missing one is named', async () => {
  const secret = (name: string) => ({
    serviceConfig: { secretEnvironmentVariables: [{ key: 'PASSWORD', secret: name }] },
  })
  const files = { 'index.js': 'exports.hello = (request, response) => response.send(process.env.PASSWORD)\n' }
  const { error } = await acme.deploy('unlucky', files, { body: secret('nowhere') })
  expect(error?.message).toContain('icosa functions secrets set nowhere --project shop')
  const { setSecret } = await import('../secrets/secrets.ts')
  await setSecret(app.platform, 'acme', { project: 'shop', name: 'password' }, 'first')
  await setSecret(app.platform, 'acme', { project: 'shop', name: 'password' }, 'second')
  await acme.deploy('knowing', files, { body: secret('password') })
  expect(await call(await uriOf('knowing'))).toMatchObject({ status: 200, body: 'second' })
  expect(JSON.stringify((await acme.getFunction({ params: at('knowing') })).body)).not.toContain('second')
})

test('a deleted function no longer responds', async () => {
  await acme.deploy('leaving', hello)
  const uri = await uriOf('leaving')
  expect(await call(uri)).toMatchObject({ status: 200, body: 'hello world' })
  await acme.waitFor((await acme.deleteFunction({ params: at('leaving') })).body)
  await expect.poll(async () => (await call(uri)).status, patience).toBe(404)
  expect(await call(`${app.url}/functions/run/missing`)).toMatchObject({ status: 404 })
})

test('calls to a tenant are rate limited; unauthorized ones do not count', async () => {
  await using limited = await startFunctions({ callsPerSecond: 1 })
  const ada = await limited.tenant('ada')
  const { response } = await ada.deploy('limited', hello)
  const { uri } = (response as { readonly serviceConfig: { readonly uri: string } }).serviceConfig
  for (let n = 0; n < 5; n++) expect((await fetch(uri)).status).toBe(401)
  expect((await call(uri, {}, ada.key)).status).toBe(200)
  const refused = async () => {
    const responses = await Promise.all(Array.from({ length: 10 }, () => call(uri, {}, ada.key)))
    return responses.find(({ status }) => status === 429)
  }
  await expect.poll(refused, patience).toBeDefined()
  const response429 = await refused()
  expect(response429?.body).toContain('More than 1 requests a second')
  expect(response429?.headers.get('retry-after')).toBe('1')
})
