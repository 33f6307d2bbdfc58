import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import { operationsOfService, type RequestHead, type ServiceOperation, sql, tagOf } from '@icosa/kernel'
import { credentialsFor, type TestApp } from '@icosa/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { haproxyNaming, nameOf } from '../../apps/server/src/router/testing/haproxy.ts'
import { type Named, namedBy } from '../../apps/server/src/tenants/named.ts'
import { routingOf } from '../../apps/server/src/tenants/routing.ts'
import { fill, services, startFilled } from './filled.ts'

// A router finds the tenant of every request by its host, path and headers alone.
const rules = routingOf(services)
let app: TestApp
let host: string

beforeAll(async () => {
  app = await startFilled()
  host = new URL(app.url).host
})
afterAll(() => app[Symbol.asyncDispose]())

/** Fills the parameters of a path in either syntax. */
const sample = (path: string) =>
  path
    .replace(/\{[^}=]*=([^}]*)\}/g, '$1')
    .replace(/\{[^}]*\}|:\w+(\([^)]*\))?/g, '00000000-0000-4000-8000-000000000001')
    .replaceAll('::', ':')
    .replaceAll('*', 'a')

const headOf = (target: string, headers: RequestHead['headers'] = {}): RequestHead => ({ host, target, headers })

async function tenantOf(named: Named | undefined): Promise<string | undefined> {
  if (!named || !('value' in named)) return named?.by
  const { by, value } = named
  if (by === 'tenant') return value
  const row = await app.platform.database.maybe<{ tenant: string }>(sql`
    select tenant from icosa.names where purpose = ${by} and name = ${value}`)
  return row?.tenant ?? `nobody by ${by} ${value}`
}

const ruleOf = (path: string) =>
  rules.find(({ host: domain, path: pattern }) => !domain && new RegExp(pattern, 'i').test(path))
const isNamedOpenly = (path: string) => {
  const rule = ruleOf(path)
  return rule?.otherwise !== undefined || rule?.sources.some(({ gives }) => gives !== 'tag' && gives !== 'credential')
}

test('every open operation and every page has a rule that needs no credential', () => {
  const isOpen = ({ operation, api }: ServiceOperation) => operation.open || api.dialect.authentication.kind === 'none'
  const all = services.flatMap((service) => operationsOfService(service))
  const open = all.filter(isOpen).map(({ service, operation }) => `/${service.name}${sample(operation.path)}`)
  expect(open.length).toBeGreaterThan(15)
  const operations = new Set(all.flatMap(({ service, operation }) => `/${service.name}${sample(operation.path)}`))
  const spelled = (path: string) => [...operations].some((own) => own.split('/').at(-1) === path.split('/').at(-1))
  const pages = app.routes.map(({ url }) => sample(url)).filter((path) => !operations.has(path) && !spelled(path))
  expect(pages.length).toBeGreaterThan(30)
  expect([...open, ...pages].filter((path) => !isNamedOpenly(path))).toEqual([])
})

test.each(
  services.flatMap((service) =>
    service.apis.map((api) => [`${service.name} ${api.name ?? ''}`, service, api] as const),
  ),
)('%s: all requests with a new credential name its tenant', async (_, service, api) => {
  if (api.dialect.authentication.kind === 'none') return
  const target = await credentialsFor(app, service, 'ada', ['*'], api)
  const send = () => (target.fetch ?? fetch)(app.url, { headers: target.headers ?? {} })
  const [head] = await received(send)
  const closed = operationsOfService(service).filter(({ api: own, operation }) => own === api && !operation.open)
  const outcomes = new Set<string | undefined>()
  for (const { operation } of closed) {
    const path = `/${service.name}${sample(operation.path)}`
    outcomes.add(await tenantOf(namedBy(rules, { ...(head as RequestHead), target: path })))
  }
  expect([...outcomes]).toEqual([service.name === 'identity-connect' ? 'home' : 'ada'])
})

test('requests of applications, with sessions, links, access keys and addresses, name their tenant', async () => {
  const heads = await received(() => fill(app, 'ada'))
  const outcomes = new Map<string, string[]>()
  for (const head of heads) {
    const outcome = (await tenantOf(namedBy(rules, head))) ?? 'unnamed'
    outcomes.set(outcome, [...(outcomes.get(outcome) ?? []), head.target])
  }
  const counts = [...outcomes].map(([outcome, targets]) => `${targets.length} ${outcome}`)
  console.log(counts.join(', '))
  expect(outcomes.get('ada')?.length).toBeGreaterThan(100)
  outcomes.delete('ada')
  // Installing a client at the bank and signing in with a password happen before there is a tenant.
  const home =
    /^\/banking\/(v1\/)?(installation|device-server|session-server|sandbox-user)|^\/identity-connect\/|\/token$/
  const others = [...outcomes].flatMap(([outcome, targets]) => targets.map((target) => `${outcome} ${target}`))
  expect(others.filter((line) => !home.test(line.replace(/^home /, '')))).toEqual([])

  await using haproxy = await haproxyNaming(rules)
  for (const head of heads) expect(await haproxy.ask(head), head.target).toBe(nameOf(namedBy(rules, head)))
})

/** Heads of the requests that the node receives meanwhile. */
async function received(work: () => Promise<unknown>): Promise<RequestHead[]> {
  const heads: RequestHead[] = []
  const listen = (message: unknown) => {
    const { url = '/', headers } = (message as { request: IncomingMessage }).request
    if (headers.host !== host) return
    const single = Object.entries(headers).map(([name, value]) => [name, String(value)])
    heads.push({ host, target: url, headers: Object.fromEntries(single) })
  }
  subscribe('http.server.request.start', listen)
  try {
    await work()
  } finally {
    unsubscribe('http.server.request.start', listen)
  }
  return heads
}

test('a path may be prefixed with a tag, by which a request without a credential names its tenant', async () => {
  const { database, clock } = app.platform
  const tag = await tagOf(database, clock, 'bob')
  const ada = { 'x-api-key': await app.key('ada') }
  for (const [path, status] of [
    [`/~${tag}/example/notes`, 200],
    [`/~${tag}/example/notes?limit=1`, 200],
    [`/~${tag}/healthz`, 200],
    [`/~${tag}?a=1`, 200],
    [`/~${tag}/~${tag}/example/notes`, 404],
    [`/~${tag.slice(1)}/example/notes`, 404],
    [`/~${tag}example/notes`, 404],
  ] as const)
    expect([path, (await fetch(app.url + path, { headers: ada })).status]).toEqual([path, status])
  const groups = services.find(({ name }) => name === 'resource-groups') as (typeof services)[number]
  const { fetch: signedFetch = fetch } = await credentialsFor(app, groups, 'ada')
  const signed = await signedFetch(`${app.url}/~${tag}/resource-groups/groups-list`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  })
  expect(signed.status).toBe(200) // the signature covers the prefix
  for (const path of ['/contribution-collection/token', '/banking/v1/device-server', '/example/notes'])
    expect(await tenantOf(namedBy(rules, headOf(`/~${tag}${path}`, ada)))).toBe('bob')
})

test('hostile heads are no tenant, and take no time', () => {
  const texts = [
    '',
    ' ',
    'Bearer',
    'Bearer ..',
    'Bearer a.e30.b',
    'Basic ====',
    'Basic Og==',
    `Bearer ${'a.'.repeat(20_000)}`,
  ]
  const began = performance.now()
  for (const authorization of [
    ...texts,
    `AWS4-HMAC-SHA256 Credential=${'A'.repeat(40_000)}`,
    '\u0000',
    `Bearer x.${'A'.repeat(40_000)}.y`,
  ])
    for (const target of [
      '/resource-groups/groups',
      '/',
      '//',
      '/%',
      '/~',
      `/${'~'.repeat(8_000)}`,
      `/functions/run/${'a-'.repeat(8_000)}`,
    ])
      expect(namedBy(rules, headOf(target, { authorization, cookie: authorization }))?.by).not.toBe('tag')
  expect(performance.now() - began).toBeLessThan(5_000)
})
