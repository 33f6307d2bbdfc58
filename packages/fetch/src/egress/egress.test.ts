import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer as createHttpServer, type Server } from 'node:http'
import { type AddressInfo, connect, createServer, type Server as NetServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import {
  ipv4Spellings,
  ipv6Carrying,
  ipv6Spellings,
  localNames,
  privateIpv4,
  privateIpv6,
} from '../testing/hostile-hosts.ts'
import { type NameServer, nameServer } from '../testing/name-server.ts'
import { type Wall, wall } from '../testing/wall.ts'
import { type Egress, egressEntry, openEgress } from './index.ts'
import type { EgressRules } from './rules.ts'

// 127.0.0.2 stands for the public internet, by a rule; on the same port of 127.0.0.1 the victim listens.
const OUTSIDE = '127.0.0.2'
const maxConnections = 8
let port: number
let victims = 0
let egress: Egress
let names: NameServer
let watch: Wall
let folder: string
let door: NetServer
const servers: (Server | NetServer)[] = []
const clients: Socket[] = []
const lines: string[] = []

const entry = (text: string) => egressEntry(text, 'SETTING')
const rulesOf = (allow: readonly string[], deny: readonly string[] = []): EgressRules => ({
  allow: allow.map(entry),
  deny: deny.map(entry),
})
let rules = rulesOf(['public', OUTSIDE])
let tenant = 'acme'

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'icosa-egress-'))
  port = await listening(
    createHttpServer((request, reply) => reply.end(`${request.method} ${request.headers.host} outside`)),
    OUTSIDE,
    0,
  )
  await listening(
    createServer((socket) => {
      victims++
      socket.end('secret')
    }),
    '127.0.0.1',
    port,
  )
  let turns = 0
  names = await nameServer((name) => {
    if (name === 'site.test') return { addresses: [OUTSIDE] }
    if (name === 'inside.test') return { addresses: ['127.0.0.1'] }
    if (name === 'among.test') return { addresses: [OUTSIDE, '127.0.0.1'] }
    if (name === 'alias.test') return { alias: 'inside.corp.test', addresses: ['10.0.0.1'] }
    if (name === 'turning.test') return { addresses: [turns++ < 2 ? OUTSIDE : '127.0.0.1'] }
    return undefined
  })
  egress = openEgress({
    maxConnections,
    bytesPerSecond: 2 ** 20,
    nameServers: [names.address],
    connectMs: 2_000,
    idleMs: 5_000,
  })
  door = createServer({ allowHalfOpen: true }, (socket) =>
    egress.accept(socket, {
      ...{ tenant, rules, report: (line) => lines.push(line) },
      hosts: { 'metadata.test:80': (_, reply) => reply.end('metadata') },
    }),
  ).listen(join(folder, 'door'))
  await once(door, 'listening')
  watch = wall()
})
afterEach(() => {
  for (const client of clients.splice(0)) client.destroy()
  rules = rulesOf(['public', OUTSIDE])
  tenant = 'acme'
})
afterAll(() => {
  watch.remove()
  egress.close()
  names.close()
  door.close()
  for (const server of servers) server.close()
  rmSync(folder, { recursive: true })
})

async function listening(server: Server | NetServer, host: string, at: number): Promise<number> {
  server.listen(at, host)
  servers.push(server)
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

function dial(): Socket {
  const socket = connect({ path: join(folder, 'door'), allowHalfOpen: true })
  socket.on('error', () => {})
  clients.push(socket)
  return socket
}

/** Sends bytes and returns everything up to the end, or up to `until`. */
function send(bytes: string, until = /$^/): Promise<string> {
  const socket = dial()
  socket.write(bytes)
  return new Promise((resolve) => {
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
      if (until.test(text)) resolve(text)
    })
    socket.on('close', () => resolve(text)).on('end', () => socket.end())
  })
}

const tunnel = (authority: string) =>
  send(`CONNECT ${authority} HTTP/1.1\r\nHost: x\r\n\r\n`, /200 Connection[\s\S]*\r\n\r\n/)

async function refused(authorities: readonly string[], status = 403): Promise<void> {
  const before = watch.dialled.filter((address) => address !== folder).length
  for (let at = 0; at < authorities.length; at += maxConnections / 2)
    await Promise.all(
      authorities.slice(at, at + maxConnections / 2).map(async (authority) => {
        expect(await tunnel(authority), authority).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
      }),
    )
  expect(watch.dialled.length).toBe(before)
}

test('a site outside is reached by CONNECT and in absolute form, and each connection is reported', async () => {
  const socket = dial()
  socket.write(`CONNECT site.test:${port} HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)
  const [established] = await once(socket, 'data')
  expect(String(established)).toMatch(/^HTTP\/1.1 200 /)
  expect(String((await once(socket, 'data'))[0])).toContain('GET a outside')
  socket.end()
  const absolute = `GET http://site.test:${port}/ HTTP/1.1\r\nHost: elsewhere\r\nConnection: close\r\n\r\n`
  expect(await send(absolute)).toContain(`GET site.test:${port} outside`)
  await expect
    .poll(() => lines.filter((line) => /^egress: site\.test:\d+, \d+ bytes sent, \d+ received/.test(line)).length)
    .toBe(2)
  expect(await send('GET http://metadata.test/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')).toContain('metadata')
  const inTunnel = 'CONNECT metadata.test:80 HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
  expect(await send(inTunnel)).toContain('metadata')
})

test('every spelling of a private address is refused without a connection', async () => {
  const ipv4 = ['127.0.0.1', '169.254.169.254', '10.0.0.1', '192.168.1.1', '100.64.0.1', '0.0.0.0']
  const hosts = [...ipv4.flatMap(ipv4Spellings), ...localNames].filter((host) => !/[^\x21-\x7e]/.test(host))
  const v6 = [...ipv4.flatMap(ipv6Carrying), ...privateIpv6].flatMap((address) => ipv6Spellings(address).slice(0, 2))
  await refused([...hosts, ...privateIpv4, ...v6.map((address) => `[${address}]`)].map((host) => `${host}:${port}`))
})

test('names that lead inside are refused: alone, among others, by an alias; rebinding has no effect', async () => {
  await refused(['inside.test', 'among.test', 'alias.test'].map((host) => `${host}:${port}`))
  expect(await tunnel(`turning.test:${port}`)).toMatch(/^HTTP\/1.1 200/)
  await refused([`turning.test:${port}`])
})

test('malformed targets are invalid', async () => {
  const malformed = ['', 'site.test', 'site.test:0', 'site.test:99999', `me@site.test:${port}`, `site.test:${port}/x`]
  await refused([...malformed, `[::1%25lo]:${port}`, `site..test:${port}`, '127.0.0.1%00:80'], 400)
  for (const bytes of ['GET / HTTP/1.1\r\nHost: x\r\n\r\n', 'GET https://site.test/ HTTP/1.1\r\nHost: x\r\n\r\n'])
    expect(await send(bytes, /address/)).toMatch(/^HTTP\/1.1 400 /)
  expect(await send(`GET http://127.0.0.1:${port}/ HTTP/1.1\r\nHost: site.test\r\n\r\n`, /refused/)).toMatch(/ 403 /)
  expect(await send('\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03 no HTTP\r\n\r\n')).toBe('')
})

test.each<[string, readonly string[], readonly string[], string, number]>([
  ['a name and its port', ['site.test'], [], 'a name cannot open a private address', 403],
  ['a range with another port', [`${OUTSIDE}:1`], [], '', 403],
  ['a range with the port', [`${OUTSIDE}/32:PORT`], [], '', 200],
  ['nothing', [], [], '', 403],
  ['public only', ['public'], [], '', 403],
  ['a denied name', [OUTSIDE], ['site.test'], 'denies site.test', 403],
  ['a denied suffix', [OUTSIDE], ['*.test'], 'denies', 403],
  ['a denied range', [OUTSIDE], ['127.0.0.0/8'], 'denies', 403],
  ['a denied port', [OUTSIDE], ['site.test:PORT'], 'denies', 403],
  ['another denied port', [OUTSIDE], ['site.test:25'], '', 200],
])('rules: %s', async (_, allow, deny, message, status) => {
  const withPort = (texts: readonly string[]) => texts.map((text) => text.replace('PORT', String(port)))
  rules = rulesOf(withPort(allow), withPort(deny))
  expect(await tunnel(`site.test:${port}`)).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  if (message.startsWith('denies')) expect(lines.at(-1)).toContain(message)
})

test.each(['', 'a b', '0.0.0.0/0', '[::]/0', 'site.test:0', 'site.test:70000', '10.0.0.0/33', 'http://a'])(
  "'%s' is not an entry",
  (text) => {
    expect(() => entry(text)).toThrow(/SETTING/)
  },
)

test('connections of a tenant are limited, and those of others are not affected', async () => {
  const open = await Promise.all(Array.from({ length: maxConnections }, () => tunnel(`site.test:${port}`)))
  expect(open.every((text) => text.startsWith('HTTP/1.1 200'))).toBe(true)
  expect(await tunnel(`site.test:${port}`)).toMatch(/^HTTP\/1.1 429 /)
  tenant = 'other'
  expect(await tunnel(`site.test:${port}`)).toMatch(/^HTTP\/1.1 200 /)
  for (const client of clients.splice(0)) client.destroy()
  tenant = 'acme'
  await expect.poll(() => tunnel(`site.test:${port}`)).toMatch(/^HTTP\/1.1 200 /)
})

test('a slow sender is dropped, a slow reader holds back its sender, and traffic is limited', async () => {
  expect(await send('CONNECT site.te')).toBe('') // until the deadline
  let written = 0
  const flood = createServer((socket) => {
    const fill = () => {
      while (!socket.destroyed && socket.write(Buffer.alloc(65_536))) written += 65_536
    }
    socket.on('drain', fill).on('error', () => {})
    fill()
  })
  const at = await listening(flood, OUTSIDE, 0)
  const reader = dial()
  reader.write(`CONNECT site.test:${at} HTTP/1.1\r\n\r\n`)
  await once(reader, 'readable') // and never reads
  const startedAt = performance.now()
  let received = 0
  for await (const chunk of reader) {
    received += chunk.length
    if (received > 3 * 2 ** 20) break
  }
  const perSecond = received / ((performance.now() - startedAt) / 1_000)
  expect(perSecond).toBeLessThan(4 * 2 ** 20)
  expect(written).toBeLessThan(32 * 2 ** 20)
})

test('no victim was reached', () => {
  expect(victims).toBe(0)
  expect(new Set(watch.dialled.filter((address) => /^[\d.:a-f]+$/.test(address)))).toEqual(new Set([OUTSIDE]))
})
