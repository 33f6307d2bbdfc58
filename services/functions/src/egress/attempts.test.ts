import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { connect as connectTo, createServer, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { openEgress } from '@icosa/fetch/egress'
import { nameServer } from '@icosa/fetch/testing/name-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSite, type TestNode, type TestSite } from '../instances/testing/site.ts'
import type { Revision } from '../revision.ts'
import { addressText, platformAddresses, platformHost, toPlatform } from './platform.ts'
import { egressRules } from './policies.ts'

// Each attempt is made twice: by a function, and as a control by a process of this machine, which reaches the victim.
// 127.0.0.2 stands for the public internet.
const OUTSIDE = 'site.test'
let site: TestSite
let node: TestNode
let victim: number
let outside: number
let platform: number
let js: Revision
const reached: string[] = []
const sockets = new Set<Socket>()
const closing: { close(): unknown }[] = []

/** Also runs inside of functions, as source. */
function over(
  connect: typeof connectTo,
  target: { host: string; port: number } | { path: string },
  first: string,
): Promise<string> {
  return new Promise((done) => {
    const socket = connect({ ...target } as never, () => socket.write(first))
    socket.on('data', (data) => {
      done(`reached ${data}`)
      socket.destroy()
    })
    socket.on('error', (error) => done(String((error as NodeJS.ErrnoException).code))).on('close', () => done('closed'))
    socket.setTimeout(5_000, () => done('silence'))
  })
}

const code = `
const { connect } = require('node:net')
const over = ${over.toString()}
const connections = []
const acts = {
  connect: async ({ targets, first }) => JSON.stringify(await Promise.all(JSON.parse(targets).map((target) => over(connect, target, first)))),
  async hold({ host, port, count }) {
    for (let n = 0; n < Number(count); n++) connections.push(connect({ host, port: Number(port) }).on('error', () => {}))
    await new Promise((resolve) => setTimeout(resolve, 1000))
    return String(connections.filter((socket) => socket.readyState === 'open').length)
  },
  async stall({ host, port }) {
    const socket = connect({ host, port: Number(port) }, () => socket.write('flood')).on('error', () => {}).pause()
    connections.push(socket)
    return 'stalled'
  },
  release: () => { for (const socket of connections.splice(0)) socket.destroy(); return 'released' },
}
exports.main = async (req, res) => { res.send(await acts[req.path.slice(1)](req.query)) }
`

/** Answers with what it is, and records who came. */
const tells = (name: string) =>
  createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('data', (data) => {
      if (name === 'victim') reached.push(String(data))
      socket.write(name)
      if (String(data) === 'flood') socket.write(Buffer.alloc(2 ** 26))
    })
  })

async function listen(server: ReturnType<typeof createServer>, host: string, at = 0): Promise<number> {
  server.listen(at, host)
  closing.push(server)
  await once(server, 'listening')
  return (server.address() as { port: number }).port
}

beforeAll(async () => {
  victim = await listen(tells('victim'), '::', 0) // all addresses of this machine, of both families
  outside = await listen(tells('outside'), '127.0.0.2')
  platform = await listen(tells('platform'), '127.0.0.1')
  const names = await nameServer((name, turn) => {
    if (name === OUTSIDE) return { addresses: ['127.0.0.2'] }
    if (name === 'inside.test') return { addresses: ['127.0.0.1'] }
    if (name === 'alias.test') return { alias: 'inside.test', addresses: ['127.0.0.1'] }
    if (name === 'both.test') return { addresses: ['127.0.0.2', '127.0.0.1'] }
    if (name === 'rebinding.test') return { addresses: [turn === 0 ? '127.0.0.2' : '127.0.0.1'] }
    return undefined
  })
  closing.push(names)
  const egress = openEgress({ maxConnections: 20, bytesPerSecond: 2 ** 24, nameServers: [names.address] })
  closing.push(egress)
  const rulesOf = egressRules({ egressAllow: ['public', '127.0.0.2/32'], egressDeny: [], egressPolicies: {} })
  const baseUrl = `http://127.0.0.1:${platform}`
  site = await openSite('runsc')
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
  js = site.revision(code, { concurrency: 20, timeoutMs: 120_000 })
})
afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  await site.close()
  for (const one of closing) one.close()
})

type Target = { readonly host: string; readonly port: number } | { readonly path: string }

const act = async (revision: Revision, name: string, query: Record<string, string> = {}) =>
  (await node.ask(revision, `/${name}?${new URLSearchParams(query)}`)).body

const attempt = async (targets: readonly Target[], revision = js): Promise<string[]> =>
  JSON.parse(await act(revision, 'connect', { targets: JSON.stringify(targets), first: 'attack' }))

const control = (target: Target) => over(connectTo, target, 'control')

/** None of the attempts reaches what each of their controls reaches. */
async function expectRefused(targets: readonly Target[], controls: readonly Target[] = targets): Promise<void> {
  const open = await Promise.all(controls.map(control))
  expect(controls.filter((_, at) => !open[at]?.startsWith('reached'))).toEqual([])
  const results: string[] = []
  for (let at = 0; at < targets.length; at += 10) results.push(...(await attempt(targets.slice(at, at + 10))))
  expect(results.length).toBe(targets.length)
  expect(targets.filter((_, at) => results[at]?.startsWith('reached'))).toEqual([])
  expect(reached).not.toContain('attack')
}

const spellings = [
  ...[
    '127.0.0.1',
    '127.1',
    '127.0.1',
    '127.0.0.3',
    '127.255.255.254',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '0x7F.0.0.1',
  ],
  ...['017700000001', '0177.0.0.1', '0177.1', '127.0x0.0.01', '0', '0.0.0.0', '0x0'],
  ...['localhost', 'LOCALHOST', '::1', '0:0:0:0:0:0:0:1', '0000::0001', '::'],
  ...['::ffff:127.0.0.1', '::ffff:7f00:1', '0:0:0:0:0:ffff:7f00:0001', '::FFFF:127.0.0.1'],
]

test("the node's loopback is not reached in 26 spellings", async () => {
  expect(new Set(spellings).size).toBe(26)
  await expectRefused(spellings.map((host) => ({ host, port: victim })))
})

test("the machine's own addresses are not reached", async () => {
  const own = Object.values(networkInterfaces()).flatMap((all = []) => all)
  const hosts = own.filter(({ internal, scopeid }) => !internal && !scopeid).map(({ address }) => address)
  await expectRefused(hosts.map((host) => ({ host, port: victim })))
})

test("the platform's database is not reached, by address, name or socket", async () => {
  const { hostname, port, searchParams } = new URL(site.databaseUrl)
  const folder = searchParams.get('host')
  const targets: Target[] = folder?.startsWith('/')
    ? [{ path: join(folder, `.s.PGSQL.${port || 5432}`) }]
    : [hostname, '127.1', '::ffff:127.0.0.1'].map((host) => ({ host, port: Number(port || 5432) }))
  for (const target of targets) expect(await connects(target)).toBe(true)
  expect((await attempt(targets)).filter((result) => /^(reached|closed|silence)/.test(result))).toEqual([])
})

/** PostgreSQL answers nothing to an unknown first message: a connection is enough. */
const connects = (target: Target) =>
  new Promise<boolean>((resolve) => {
    const socket = connectTo({ ...target } as never, () => resolve(true))
    socket.on('error', () => resolve(false)).on('connect', () => socket.destroy())
  })

test("names that lead inside are refused, and the platform's name leads to its own port only", async () => {
  const direct = { host: '127.0.0.1', port: victim }
  for (const host of ['inside.test', 'alias.test', 'x.localhost', '127.0.0.1.', 'localhost.'])
    await expectRefused([{ host, port: victim }], [direct])
  await expectRefused([{ host: platformHost, port: victim }], [direct])
  expect(await attempt([{ host: OUTSIDE, port: outside }])).toEqual(['reached outside'])
  expect((await attempt([{ host: platformHost, port: 80 }]))[0], 'the way of the control').not.toMatch(/^EACCES/)
})

test('a name that changes its address leads nowhere inside', async () => {
  const targets = Array.from({ length: 10 }, () => ({ host: 'rebinding.test', port: victim }))
  // 127.0.0.2 is outside, but the victim listens there as well: its port is what was asked for.
  const first = await attempt([{ host: 'rebinding.test', port: outside }])
  expect(first).toEqual(['reached outside'])
  await expectRefused(targets, [{ host: '127.0.0.1', port: victim }])
  const both = await attempt([{ host: 'both.test', port: outside }])
  expect(both[0]).not.toBe('reached victim')
  expect(reached).not.toContain('attack')
})

test("another tenant's instance is not reached by its socket", async () => {
  const other = site.revision(code, { tenant: 'other' })
  expect(await act(other, 'release')).toBe('released')
  const entries = await readdir(site.folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isSocket()).map(({ parentPath, name }) => join(parentPath, name))
  const alive = paths.filter((path) => path.endsWith('/alive'))
  const open = await Promise.all(alive.map((path) => connects({ path })))
  expect(open).toContain(true)
  const targets = paths.flatMap((path) => [{ path }, { path: join('/proc/1/root', path) }])
  expect((await attempt(targets)).filter((result) => !/^E[A-Z]+$/.test(result))).toEqual([])
})

test('with its sockets exhausted, or not reading, a function reaches no more, and others work as before', async () => {
  const other = site.revision(code, { tenant: 'other' })
  const target = { host: OUTSIDE, port: String(outside) }
  expect(Number(await act(js, 'hold', { ...target, count: '100' })), 'the control').toBeGreaterThan(0)
  await expectRefused([{ host: '127.0.0.1', port: victim }])
  expect(await attempt([{ host: OUTSIDE, port: outside }], other)).toEqual(['reached outside'])
  await act(js, 'release')
  await expect.poll(() => attempt([{ host: OUTSIDE, port: outside }]), { timeout: 20_000 }).toEqual(['reached outside'])
  for (let n = 0; n < 5; n++) await act(js, 'stall', target)
  expect(await attempt([{ host: OUTSIDE, port: outside }], other)).toEqual(['reached outside'])
  await expectRefused([{ host: '127.0.0.1', port: victim }])
  expect(node.errors).toEqual([])
})
