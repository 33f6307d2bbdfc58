import { operationsOfService, type RequestHead } from '@icosa/kernel'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withPlatform } from '../../node.ts'
import { allServices } from '../../services.ts'
import { namedBy } from '../../tenants/named.ts'
import { rulesIn } from '../rules.ts'
import { haproxyNaming, nameOf } from '../testing/haproxy.ts'
import { luaPatterns } from './regex.ts'

const domain = 'fn.example.com'
const services = withPlatform(await allServices(), 'virtual')
const rules = await rulesIn({ ICOSA_FUNCTIONS_DOMAIN: domain })
let naming: Awaited<ReturnType<typeof haproxyNaming>>
beforeAll(async () => {
  naming = await haproxyNaming(rules)
})
afterAll(() => naming[Symbol.asyncDispose]())

const tag = 'abcdefghjkmn'
const key = `icosa_${tag}_${'aB3_-'.repeat(9).slice(0, 43)}`
const signingId = `AKI${tag.toUpperCase()}0123456789`
const encoded = (text: string) => Buffer.from(text).toString('base64url')
const token = (claims: object) => `${encoded('{"alg":"EdDSA"}')}.${encoded(JSON.stringify(claims))}.abc`
const session = `session_${'0'.repeat(64)}.${encoded('acme')}`
const credentials = [
  ...[
    key,
    `Bearer ${key}`,
    `bearer ${key}`,
    `Bearer ${key}x`,
    `Basic ${Buffer.from(`me:x:${key}`).toString('base64')}`,
    `basic ${Buffer.from(`me:${key}`).toString('base64')}`,
  ],
  ...[
    token({ tenant: 'acme' }),
    `Bearer ${token({ sub: 'a', tenant: 'Ünïted "x"' })}`,
    `Bearer ${token({ tenant: 7 })}`,
    `Bearer ${token({})}`,
    'Bearer a.e30.b',
    'Bearer a.!.b',
  ],
  ...[
    signingId,
    signingId.toLowerCase(),
    `AWS4-HMAC-SHA256 Credential=${signingId}/20261117/us-east-1/backup/aws4_request, SignedHeaders=host;x-amz-date, Signature=00`,
    'AWS4-HMAC-SHA256 Credential=/x',
  ],
  ...[session, `${session}.x`, '', 'Bearer', 'Basic', 'Basic ====', `Basic ${Buffer.from(key).toString('base64')}`],
]
const headerNames = [
  ...new Set(
    rules.flatMap(({ sources }) => sources.flatMap(({ in: part, name }) => (part === 'header' && name ? [name] : []))),
  ),
]
const queryNames = [
  ...new Set(
    rules.flatMap(({ sources }) => sources.flatMap(({ in: part, name }) => (part === 'query' && name ? [name] : []))),
  ),
]
const cookieNames = [
  ...new Set(
    rules.flatMap(({ sources }) => sources.flatMap(({ in: part, name }) => (part === 'cookie' && name ? [name] : []))),
  ),
]

const head = (target: string, headers: RequestHead['headers'] = {}, host = 'api.example.com'): RequestHead => ({
  host,
  target,
  headers,
})
const sample = (path: string) =>
  path
    .replace(/\{[^}=]*=([^}]*)\}/g, '$1')
    .replace(/\{[^}]*\}|:\w+(\([^)]*\))?/g, '00000000-0000-4000-8000-00000000000A')
    .replaceAll('::', ':')
    .replaceAll('*', 'a')
const paths = [
  ...new Set([
    ...services.flatMap((service) =>
      operationsOfService(service).map(({ operation }) => `/${service.name}${sample(operation.path)}`),
    ),
    ...services.flatMap(({ tenantRules = {} }) => Object.keys(tenantRules).map(sample)),
    ...[
      '/',
      '/healthz',
      '/docs',
      '/_icosa/blobs/backup/acme/x',
      '/_icosa/blobs/backup/ac%2520me/x',
      `/functions/run/shop-aaaaaaaaaa-${tag}/x`,
      '/Functions/RUN/old',
    ],
  ]),
]

async function differences(heads: readonly RequestHead[]): Promise<string[]> {
  const all = await Promise.all(
    heads.map(async (each) => {
      const [ours, haproxys] = [nameOf(namedBy(rules, each)), await naming.ask(each)]
      return ours === haproxys ? [] : [`${JSON.stringify(each)}: ${ours}, in HAProxy ${haproxys}`]
    }),
  )
  return all.flat()
}

test('every operation and page, with credentials in every place', { timeout: 120_000 }, async () => {
  expect(paths.length).toBeGreaterThan(300)
  const everywhere = (path: string, credential: string, index: number) => [
    head(path, { [headerNames[index % headerNames.length] as string]: credential }),
    head(`${path}?a=1&${queryNames[index % queryNames.length]}=${encodeURIComponent(credential)}&b=%`),
    head(`/~${tag}${path}?${queryNames[index % queryNames.length]}=${encoded('acme')}.x`, {
      authorization: credential,
    }),
    head(path, {
      cookie: `a=b;  ${cookieNames[index % cookieNames.length]}=${credential}; c=d`,
      authorization: credential,
    }),
  ]
  const heads = paths.flatMap((path, place) =>
    [0, 7, 13].flatMap((step) =>
      everywhere(path, credentials[(place + step) % credentials.length] as string, place + step),
    ),
  )
  expect(await differences(heads)).toEqual([])
})

test('every credential in every header, query parameter and cookie of the rules', { timeout: 120_000 }, async () => {
  const roots = [
    ...new Set(services.map(({ name }) => `/${name}/x`)),
    '/',
    '/banking/v1/token',
    '/language-authoring/v2/x',
    '/contribution-collection/desk/x',
  ]
  const heads = roots.flatMap((path) =>
    credentials.flatMap((credential) => [
      ...headerNames.map((name) => head(path, { [name]: credential })),
      ...queryNames.map((name) => head(`${path}?${name}=${encodeURIComponent(credential).replaceAll('%20', '+')}`)),
      ...cookieNames.map((name) => head(path, { cookie: `${name}=${credential}` })),
    ]),
  )
  expect(await differences(heads)).toEqual([])
})

test('hosts of functions', async () => {
  const hosts = [
    `shop-aaaaaaaaaa-${tag}.${domain}`,
    `Shop-AAAAAAAAAA-${tag.toUpperCase()}.${domain.toUpperCase()}:8443`,
    `old.${domain}:1`,
    domain,
    `x${domain}`,
  ]
  expect(await differences(hosts.map((host) => head('/backup/x', { authorization: key }, host)))).toEqual([])
})

test('random heads', { timeout: 60_000 }, async () => {
  const part = fc.constantFrom(
    '/',
    '//',
    '~',
    tag,
    'banking',
    'pay',
    'subscriptions',
    'stores',
    'configuration-stores',
    'functions',
    'run',
    'projects',
    '%2F',
    '%',
    '%C3%9C',
    'A',
    '-',
    '.',
    encoded('acme'),
    'feeds',
    'contribution-collection',
    '?',
    '&',
    '=',
    'client_id',
    'subscription-key',
  )
  const target = fc.array(part, { maxLength: 10 }).map((parts) => `/${parts.join('')}`)
  const heads = fc.sample(fc.record({ target, authorization: fc.constantFrom(...credentials) }), {
    numRuns: 3_000,
    seed: 7,
  })
  // Paths that begin with two slashes, or have dot segments, are served by no cell.
  const served = heads.filter((each) => !/^\/\/|\/\.{1,2}(?=[/?]|$)/.test(each.target))
  expect(served.length).toBeGreaterThan(1_000)
  expect(await differences(served.map((each) => head(each.target, { authorization: each.authorization })))).toEqual([])
})

test.each([['^(?:a|b(?:c|))+$'], ['(a)?'], ['a*?'], ['(?=a)'], ['\\s'], ['[\\s]'], ['a{2,3}']])(
  '%s is refused, since Lua cannot match it',
  (source) => {
    expect(() => luaPatterns(source)).toThrow(`The regular expression ${source} has something at `)
  },
)
