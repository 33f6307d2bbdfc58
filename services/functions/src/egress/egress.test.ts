import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { openEgress } from '@icosa/fetch/egress'
import { nameServer } from '@icosa/fetch/testing/name-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSite, type TestNode, type TestSite } from '../instances/testing/site.ts'
import type { Revision } from '../revision.ts'
import { addressText, platformAddresses, platformHost, toPlatform } from './platform.ts'
import { egressRules } from './policies.ts'

// 127.0.0.2 stands for the public internet, by a rule. The same port of 127.0.0.1 is the node's own.
const addresses: Readonly<Record<string, string>> = {
  'site.test': '127.0.0.2',
  'warehouse.test': '127.0.0.3',
  'inside.test': '127.0.0.1',
}
const OUTSIDE = 'site.test'
const victims: string[] = []
const servers: { close(): unknown }[] = []
let site: TestSite
let node: TestNode
let port: number
let echo: number
let platformPort: number
let js: Revision
let py: Revision

const jsCode = `
const net = require('node:net'), dns = require('node:dns'), { execFileSync, exec } = require('node:child_process')
const over = (host, port) => new Promise((done) => {
  const socket = net.connect({ host, port: Number(port) }, () => socket.write('ping'))
  socket.on('data', (data) => { done('reached ' + data); socket.destroy() }).on('error', (e) => done(e.code + ' ' + e.message)).on('close', () => done('closed'))
})
const acts = {
  fetch: async ({ url }) => { try { const r = await fetch(url); return r.status + ' ' + await r.text() } catch (e) { return 'failed ' + (e.cause?.message ?? e.message) } },
  tcp: ({ host, port }) => over(host, port),
  many: async ({ targets }) => JSON.stringify(Object.fromEntries(await Promise.all(targets.split(' ').map(async (t) => [t, await over(t.slice(0, t.lastIndexOf(':')), t.slice(t.lastIndexOf(':') + 1))])))),
  curl: ({ url }) => new Promise((done) => exec('curl -s -m 20 "' + url + '"', (error, stdout) => done(error ? 'curl ' + error.code : stdout))),
  lookup: async ({ host }) => { const { address } = await dns.promises.lookup(host); return over(address, process.env.ECHO) },
  async exhaust({ host, port }) {
    const all = Array.from({ length: 500 }, () => net.connect({ host, port: Number(port) }).on('error', () => {}))
    await new Promise((r) => setTimeout(r, 3000))
    const open = all.filter((s) => s.readyState === 'open').length
    all.forEach((s) => s.destroy())
    return 'open ' + open
  },
  async raw() { // speaks to the node by itself, in place of the runner
    const attempts = ['CONNECT 127.0.0.1:5432 HTTP/1.1', 'GET http://127.0.0.1:' + process.env.ECHO + '/ HTTP/1.1', 'POST /v1 HTTP/1.1', 'PRI * HTTP/2.0', 'x'.repeat(70000)]
    return (await Promise.all(attempts.map((line) => new Promise((done) => {
      let text = ''
      const s = net.connect({ host: '127.0.0.1', port: 3128 }, () => s.write(line + '\\r\\nHost: x\\r\\n\\r\\n'))
      s.on('data', (d) => { text += d }).on('close', () => done(text.slice(9, 12))).on('error', () => done('error')).setTimeout(5000, () => done(text.slice(9, 12) || 'silence'))
    })))).join(' ')
  },
}
exports.main = async (req, res) => { res.send(String(await acts[req.path.slice(1)](req.query))) }
`
const pyCode = `
import asyncio, socket, urllib.request
def main(request):
    q = request.args
    try:
        if request.path == '/fetch':
            return urllib.request.urlopen(q['url'], timeout=20).read()
        if request.path == '/async':
            async def ping():
                reader, writer = await asyncio.open_connection(q['host'], int(q['port']))
                writer.write(b'ping')
                return await reader.read(100)
            return b'reached ' + asyncio.run(ping())
        with socket.create_connection((q['host'], int(q['port'])), 20) as s:
            s.sendall(b'ping')
            return b'reached ' + s.recv(100)
    except Exception as error:
        return 'failed %s %s' % (type(error).__name__, error)
`

beforeAll(async () => {
  const listening = async (server: ReturnType<typeof createServer>, host: string, at = 0) => {
    server.listen(at, host)
    servers.push(server)
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }
  port = await listening(
    createHttpServer((request, reply) => reply.end(`outside ${request.headers.host}`)),
    '127.0.0.2',
  )
  echo = await listening(
    createServer((socket) => socket.on('error', () => {}).pipe(socket)),
    '127.0.0.2',
  )
  for (const at of [port, echo])
    await listening(
      createServer((socket) => void victims.push(`${socket.localPort}`)),
      '127.0.0.1',
      at,
    )
  platformPort = await listening(
    createHttpServer(({ headers }, reply) => reply.end(JSON.stringify({ ...headers, isPlatform: true }))),
    '127.0.0.1',
  )
  const baseUrl = `http://127.0.0.1:${platformPort}`
  site = await openSite('runsc')
  const names = await nameServer((name) => {
    const address = addresses[name]
    return address === undefined ? undefined : { addresses: [address] }
  })
  servers.push(names)
  const egress = openEgress({ maxConnections: 20, bytesPerSecond: 2 ** 24, nameServers: [names.address] })
  const rulesOf = egressRules({
    ...{ egressAllow: ['public', '127.0.0.2/32'], egressDeny: [] },
    egressPolicies: { warehouse: [`127.0.0.3:${echo}`] },
  })
  node = await site.node({
    network: {
      acceptBuild: () => () => {},
      platform: addressText(baseUrl),
      accept: (revision, report) => (socket) =>
        egress.accept(socket, {
          ...{ tenant: revision.tenant, rules: rulesOf(revision.egress), report },
          ...{ hosts: { [platformHost]: toPlatform(baseUrl) }, platformAt: platformAddresses(baseUrl, undefined) },
        }),
    },
  })
  servers.push(egress)
  const environment = { ECHO: String(echo) }
  js = site.revision(jsCode, { environment, concurrency: 20, timeoutMs: 120_000, memoryBytes: 512 * 2 ** 20 })
  py = site.revision(pyCode, { runtime: 'python311', environment })
})
afterAll(async () => {
  await site.close()
  for (const server of servers) server.close()
})

const act = async (revision: Revision, name: string, query: Readonly<Record<string, string | number>>) =>
  (await node.ask(revision, `/${name}?${new URLSearchParams(query as Record<string, string>)}`)).body

test('HTTP and plain TCP reach outside from Node, Python and other programs, and are logged', async () => {
  const url = `http://${OUTSIDE}:${port}/`
  expect(await act(js, 'fetch', { url })).toBe(`200 outside ${OUTSIDE}:${port}`)
  expect(await act(js, 'curl', { url })).toBe(`outside ${OUTSIDE}:${port}`)
  expect(await act(js, 'tcp', { host: OUTSIDE, port: echo })).toBe('reached ping')
  expect(await act(js, 'lookup', { host: OUTSIDE })).toBe('reached ping')
  expect(await act(py, 'fetch', { url })).toBe(`outside ${OUTSIDE}:${port}`)
  expect(await act(py, 'tcp', { host: OUTSIDE, port: echo })).toBe('reached ping')
  expect(await act(py, 'async', { host: OUTSIDE, port: echo })).toBe('reached ping')
  await expect.poll(() => node.log(js)).toContain(`egress: ${OUTSIDE}:${echo}, 4 bytes sent, 4 received`)
})

test('the platform is reached by its name, with no headers that a proxy would set', async () => {
  const body = await act(js, 'fetch', { url: 'http://platform/functions/v2/x' })
  expect(body).toContain('"isPlatform":true')
  expect(body).toContain(`"host":"127.0.0.1:${platformPort}"`)
  expect(await act(py, 'fetch', { url: 'http://platform/' })).toContain('"isPlatform":true')
  const url = `http://127.0.0.1:${platformPort}/`
  expect(await act(js, 'fetch', { url }), 'its public address').toContain('"isPlatform":true')
  expect(await act(py, 'fetch', { url })).toContain('"isPlatform":true')
})

test('nothing else is reached: 40 attempts in each language', async () => {
  const hosts = ['0.0.0.1', '10.0.0.1', '100.100.100.200', '127.0.0.1', '169.254.169.254', '172.17.0.1', '192.168.1.1']
  const more = ['198.18.0.1', '224.0.0.1', '255.255.255.255', '2130706433', '0x7f000001', '017700000001', '127.1']
  const v6 = ['::ffff:127.0.0.1', '::ffff:7f00:1', '64:ff9b::7f00:1', '2002:7f00:1::', 'fd00:ec2::254', 'fe80::1']
  const names = [
    'localhost.localdomain',
    'metadata',
    'postgres',
    'x.localhost',
    'inside.test',
    'LOCALHOST.',
    '127.0.0.1.',
  ]
  const targets = [...hosts, ...more, ...v6, ...names].map((host) => `${host}:${echo}`)
  targets.push(...['5432', '6379', '4222', '5672', '22', '25', '4000'].map((at) => `127.0.0.1:${at}`))
  targets.push(...['5432', '6379', '80', '443'].map((at) => `2130706433:${at}`), `127.0.0.3:${echo}`)
  expect(targets.length).toBeGreaterThanOrEqual(38)
  const results: Record<string, string> = {}
  for (let at = 0; at < targets.length; at += 10)
    Object.assign(results, JSON.parse(await act(js, 'many', { targets: targets.slice(at, at + 10).join(' ') })))
  expect(Object.entries(results).filter(([, result]) => result.startsWith('reached'))).toEqual([])
  for (const target of targets) {
    const at = target.lastIndexOf(':')
    const query = { host: target.slice(0, at), port: target.slice(at + 1) }
    expect(await act(py, 'tcp', query), target).toMatch(/^failed/)
  }
  expect(await act(js, 'raw', {})).toMatch(/^403 403 400( (400|431|\w*))*$/)
  expect(victims).toEqual([])
})

test('a named policy opens what it lists, to functions that select it', async () => {
  const target = createServer((socket) => socket.pipe(socket)).listen(echo, '127.0.0.3')
  await once(target, 'listening')
  servers.push(target)
  const query = { host: 'warehouse.test', port: echo }
  expect(await act(js, 'tcp', query)).toMatch(/^EACCES/)
  const bound = { ...js, id: `${js.id}-bound`, egress: { connector: 'warehouse', allTraffic: false } }
  expect(await act(bound, 'tcp', query)).toBe('reached ping')
  expect(await act(bound, 'tcp', { ...query, host: OUTSIDE })).toBe('reached ping')
  const only = { ...js, id: `${js.id}-only`, egress: { connector: 'warehouse', allTraffic: true } }
  expect(await act(only, 'tcp', query)).toBe('reached ping')
  expect(await act(only, 'tcp', { ...query, host: OUTSIDE })).toMatch(/^EACCES/)
})

test('a function that exhausts its connections affects no other tenant, and recovers', async () => {
  const open = Number((await act(js, 'exhaust', { host: OUTSIDE, port: echo })).slice(5))
  expect(open).toBeLessThanOrEqual(20)
  expect(node.log(js)).toContain('20 connections open')
  const other = { ...py, id: `${py.id}-other`, tenant: 'other' }
  expect(await act(other, 'tcp', { host: OUTSIDE, port: echo })).toBe('reached ping')
  await expect.poll(() => act(js, 'tcp', { host: OUTSIDE, port: echo }), { timeout: 20_000 }).toBe('reached ping')
  expect(node.errors).toEqual([])
})
