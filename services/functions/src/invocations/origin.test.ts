import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { addressOf, labelOf } from '../functions/address.ts'
import { settings } from '../settings.ts'
import { at, type FunctionsApp, publicPolicy, startFunctions, type Tenant } from '../testing/app.ts'

/** Returns its request and tries to change its whole origin. */
const meddling = {
  'index.js': `exports.hello = (request, response) => {
    response.set({
      'Service-Worker-Allowed': '/', 'Clear-Site-Data': '"*"', 'Strict-Transport-Security': 'max-age=31536000',
      'Alt-Svc': 'h3=":443"', 'WWW-Authenticate': 'Basic realm="icosa"', 'NEL': '{}', 'Report-To': '{}', 'Content-Security-Policy': "img-src 'none'",
    })
    response.cookie('a', '1').cookie('b', '2')
    response.status(201).json({ url: request.url, host: request.headers.host, cookie: request.headers.cookie, body: request.body })
  }\n`,
}

interface TestResponse {
  readonly status: number | undefined
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** Sends a request to the node with any Host header. */
async function ask(app: FunctionsApp, host: string, path: string, headers = {}, method = 'GET'): Promise<TestResponse> {
  const { port } = new URL(app.url)
  const outgoing = request({ host: '127.0.0.1', port, path, method, headers: { host, ...headers } }).end()
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
  return { status: response.statusCode, headers: response.headers, body: await text(response) }
}

async function deployPublic(app: FunctionsApp, name: string): Promise<{ acme: Tenant; uri: string }> {
  const acme = await app.tenant()
  await acme.deploy(name, meddling)
  await acme.setIamPolicy({ params: at(name), body: publicPolicy })
  return { acme, uri: (await acme.getFunction({ params: at(name) })).body.serviceConfig?.uri ?? '' }
}

test('a function has its own host, on which there is nothing else', async () => {
  await using app = await startFunctions({ domain: 'fn.example.com' })
  const { acme, uri } = await deployPublic(app, 'own-host')
  const { port } = new URL(app.url)
  const { hostname, host, origin } = new URL(uri)
  expect(uri).toMatch(/^http:\/\/own-host-[a-z0-9]{10}-[a-z0-9]{12}\.fn\.example\.com:\d+$/)
  const [label = ''] = hostname.split('.')

  const response = await ask(app, host, '/a/b%20c?x=1', { cookie: 'own=1' })
  expect(response).toMatchObject({ status: 201, headers: { 'set-cookie': ['a=1; Path=/', 'b=2; Path=/'] } })
  expect(JSON.parse(response.body)).toMatchObject({ url: '/a/b%20c?x=1', host, cookie: 'own=1' })
  expect(response.headers).toMatchObject({ 'service-worker-allowed': '/', 'content-security-policy': "img-src 'none'" })
  expect(response.headers).not.toHaveProperty('clear-site-data') // affects the whole site

  // Every path belongs to the function, in any spelling of the host.
  const paths = ['/', '/healthz', '/metrics', '/functions/v2/projects/shop/locations/-/functions', '/v2/projects/shop']
  for (const path of [...paths, '//x', `/functions/run/${label}/y`])
    expect(JSON.parse((await ask(app, host, path)).body), path).toMatchObject({ url: path })
  for (const spelling of [hostname, `${hostname}.`, hostname.toUpperCase(), `${hostname}.:${port}`])
    expect(JSON.parse((await ask(app, spelling, '/healthz')).body), spelling).toMatchObject({ url: '/healthz' })
  const unknownHosts = [
    'fn.example.com',
    'nothing-abcdefghij.fn.example.com',
    `a.${hostname}`,
    'fn.example.com.',
    '.fn.example.com',
  ]
  for (const unknown of [...unknownHosts, `${'a'.repeat(64)}.fn.example.com`])
    expect(await ask(app, unknown, '/healthz'), unknown).toMatchObject({
      status: 404,
      body: expect.stringContaining('was not found'),
    })
  for (const odd of [`%6fwn.fn.example.com`, 'ä.fn.example.com', 'a b.fn.example.com'])
    expect((await ask(app, odd, '/healthz').catch(() => ({ status: 400 }))).status, odd).toBe(400)
  const absolute = `${app.url}/functions/v2/projects/shop/locations/-/functions`
  for (const target of [absolute, '*']) {
    const method = target === '*' ? 'OPTIONS' : 'GET'
    expect(await ask(app, host, target, { authorization: `Bearer ${acme.key}` }, method)).toMatchObject({ status: 404 })
  }

  // The platform has its own hosts, and redirects former URLs of functions.
  for (const other of ['127.0.0.1', 'fn.example.com.evil.test', 'xfn.example.com', 'example.com'])
    expect(await ask(app, other, '/healthz'), other).toMatchObject({ status: 200 })
  for (const [path, goal] of [
    ['', '/'],
    ['/a%2Fb/?x=1', '/a%2Fb/?x=1'],
    ['?x=1', '/?x=1'],
    ['//evil.test', '//evil.test'],
  ])
    expect(await ask(app, '127.0.0.1', `/functions/run/${label}${path}`, {}, 'POST')).toMatchObject({
      status: 307,
      headers: { location: `${origin}${goal}` },
    })
  expect(await ask(app, '127.0.0.1', '/functions/run/evil.test%2F/')).toMatchObject({ status: 404 })
  // A redirect would lose the token.
  const authorized = await ask(app, '127.0.0.1', `/functions/run/${label}/x`, { authorization: `Bearer ${acme.key}` })
  expect(authorized).toMatchObject({ status: 201, headers: { 'content-security-policy': sandboxed } })
})

const sandboxed = "img-src 'none', sandbox allow-scripts allow-forms"

test('without a domain, responses are sandboxed and cannot affect the origin', async () => {
  await using app = await startFunctions()
  const { uri } = await deployPublic(app, 'sandboxed')
  expect(uri).toContain(`${app.url}/functions/run/sandboxed-`)
  const { status, headers, body } = await ask(app, '127.0.0.1', new URL(uri).pathname, { cookie: '__Host-icosa=1' })
  expect({ status, policy: headers['content-security-policy'] }).toEqual({ status: 201, policy: sandboxed })
  for (const name of [
    'set-cookie',
    'www-authenticate',
    'service-worker-allowed',
    'strict-transport-security',
    'alt-svc',
    'nel',
    'report-to',
  ])
    expect(headers).not.toHaveProperty(name)
  expect(headers).not.toHaveProperty('clear-site-data')
  expect(JSON.parse(body)).not.toHaveProperty('cookie') // cookies of this host belong to the platform
})

test('a name too long for a DNS label is truncated, but not its hash', () => {
  const acme = { tenant: 'acme', tag: 'abcdefgh2345' }
  const labels = ['f'.repeat(63), `${'f'.repeat(62)}g`, `xn--${'a'.repeat(20)}`].map((id) => addressOf(acme, at(id)))
  const [long, other, punycode] = labels
  expect([long, other]).toEqual(Array(2).fill(expect.stringMatching(/^f{39}-[a-z0-9]{10}-abcdefgh2345$/)))
  expect(other).not.toBe(long)
  expect(punycode).toMatch(/^xn-a{20}-[a-z0-9]{10}-abcdefgh2345$/)
  expect(labelOf(`${'f'.repeat(63)}-abcdefghij`)).toBe(`${'f'.repeat(52)}-abcdefghij`) // former addresses
})

test('behind a proxy, the last forwarded host counts', async () => {
  await using app = await startFunctions({ domain: 'fn.example.com' }, { trustedProxies: 1 })
  const forwarded = (host: string) => ask(app, 'inner', '/healthz', { 'x-forwarded-host': host })
  expect(await forwarded('a-abcdefghij.fn.example.com')).toMatchObject({ status: 404 })
  expect(await forwarded('api.example.com, a-abcdefghij.fn.example.com')).toMatchObject({ status: 404 })
  expect(await forwarded('a-abcdefghij.fn.example.com, api.example.com')).toMatchObject({ status: 200 })
})

test('a node restricted to local names also accepts the hosts of functions', async () => {
  await using app = await startFunctions({ domain: 'fn.localhost' }, { hostnames: ['127.0.0.1'] })
  expect(await ask(app, 'a-abcdefghij.fn.localhost', '/')).toMatchObject({ status: 404 })
  expect(await ask(app, 'fn.localhost.evil.test', '/')).toMatchObject({ status: 403 })
})

test('the platform cannot be on a host of functions', async () => {
  const publicUrls = ['https://api.fn.example.com']
  await expect(startFunctions({ domain: 'fn.example.com' }, { publicUrls })).rejects.toThrow('is for user content')
})

test('the operator must choose a domain or none', async () => {
  expect(settings.missing({})).toEqual([expect.stringMatching(/ICOSA_FUNCTIONS_DOMAIN.*none/)])
  for (const value of ['none', 'fn.example.com']) {
    const env = { ICOSA_FUNCTIONS_DOMAIN: value }
    expect([...settings.missing(env), ...settings.problems(env)]).toEqual([])
  }
  for (const invalid of [
    'https://fn.example.com',
    '*.fn.example.com',
    'localhost',
    'FN.example.com',
    '10.0.0.1',
    'fn.example.com.',
  ])
    expect(settings.problems({ ICOSA_FUNCTIONS_DOMAIN: invalid }), invalid).toHaveLength(1)
})
