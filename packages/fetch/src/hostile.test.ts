import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Failure } from '@icosa/kernel'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { guardedFetch } from './fetch.ts'
import {
  ipv4Spellings,
  ipv6Carrying,
  ipv6Spellings,
  localNames,
  privateIpv4,
  privateIpv6,
} from './testing/hostile-hosts.ts'
import { type DnsAnswer, type NameServer, nameServer } from './testing/name-server.ts'
import { type Wall, wall } from './testing/wall.ts'

// One address is allowed, and its server is the attacker's: it redirects anywhere. On the same port of 127.0.0.1 and
// ::1 the victims listen, so that a hole in the guard leads straight to them.
const ATTACKER = '127.0.0.2'
const STATUSES = [301, 302, 303, 307, 308]

const hosts = [
  ...privateIpv4.flatMap(ipv4Spellings),
  ...[...privateIpv4.flatMap(ipv6Carrying), ...privateIpv6].flatMap(ipv6Spellings).map((address) => `[${address}]`),
  ...localNames,
].filter((host, index, all) => all.indexOf(host) === index)
const addresses = [...privateIpv4, ...privateIpv4.flatMap(ipv6Carrying), ...privateIpv6]

/** The n-th name of each family resolves, at the first query and later, as its family says for address n. */
const families: Readonly<Record<string, (address: string, turn: number, index: number) => DnsAnswer>> = {
  alone: (address) => ({ addresses: [address] }),
  among: (address, _turn, index) => ({
    addresses: Array(12)
      .fill(ATTACKER)
      .with(index % 12, address),
  }),
  alias: (address) => ({ alias: 'inside.corp.test', addresses: [address] }),
  turning: (address, turn) => ({ addresses: [turn === 0 ? ATTACKER : address] }),
  looping: (address, turn) => ({ addresses: [turn === 0 ? ATTACKER : address] }),
}

vi.setConfig({ testTimeout: 60_000 })

let port: number
let names: NameServer
let watch: Wall
let fetch: ReturnType<typeof guardedFetch>
let caught = 0
let cases = 0
const servers: Server[] = []

beforeAll(async () => {
  port = await listen(ATTACKER, 0, (request, response) => {
    const [, kind, index = '0'] = request.url?.split('/') ?? []
    const location = kind === 'to' ? hosts[Number(index)] : kind === 'again' ? request.headers.host : undefined
    if (location === undefined) return void response.end('hello')
    const target = `http://${location.replace(/:\d+$/, '')}:${port}/`
    // As servers do that do not escape: UTF-8 bytes in the header.
    const bytes = Buffer.from(target).toString('latin1')
    response.writeHead(STATUSES[Number(index) % STATUSES.length] ?? 302, { location: bytes }).end()
  })
  for (const victim of ['127.0.0.1', '::1']) {
    await listen(victim, port, (_request, response) => void response.end('secret'))
  }
  for (const server of servers.slice(1)) server.on('connection', () => caught++)
  names = await nameServer((name, turn) => {
    const [family = '', index = ''] = name.split('.')
    return families[family]?.(addresses[Number(index)] ?? '', turn, Number(index))
  })
  watch = wall()
  fetch = guardedFetch({ allow: [`${ATTACKER}/32`], nameServers: [names.address] })
})

afterAll(async () => {
  await fetch.close()
  watch.remove()
  names.close()
  for (const server of servers) server.close()
})

test('the attacker is reachable and redirects, so the refusals below concern the address', async () => {
  expect(text(await fetch(`http://${ATTACKER}:${port}/`))).toBe('hello')
  const redirect = await fetch(`http://${ATTACKER}:${port}/to/12`, { redirect: 'manual' })
  expect(redirect.status).toBe(303)
  expect(redirect.headers.get('location')).toBe(`http://${hosts[12]}:${port}/`)
})

test('every spelling of a non-public address is refused without a connection', async () => {
  const dialledBefore = watch.dialled.length
  await refused(hosts.map((host) => `http://${host}:${port}/`))
  await refused(hosts.map((host) => `https://${host}/`))
  expect(watch.dialled.length).toBe(dialledBefore)
  expect(names.queries.size).toBe(0)
})

test('a redirect to any of them is refused', async () => {
  const dialledBefore = watch.dialled.length
  await refused(hosts.map((_host, index) => `http://${ATTACKER}:${port}/to/${index}`))
  expect(watch.dialled.length - dialledBefore).toBe(hosts.length)
})

test('a name that resolves to one of them is refused: alone, among public addresses, behind an alias', async () => {
  const dialledBefore = watch.dialled.length
  for (const family of ['alone', 'among', 'alias']) {
    await refused(addresses.map((_address, index) => `http://${family}.${index}.test:${port}/`))
  }
  expect(watch.dialled.length).toBe(dialledBefore)
  expect(names.queries.get('A alone.0.test')).toBe(1)
})

test('DNS rebinding has no effect: the connection uses the checked address', async () => {
  const urls = addresses.map((_address, index) => `http://turning.${index}.test:${port}/`)
  await inBatches(urls, async (url) => expect(text(await fetch(url))).toBe('hello'))
  expect([...names.queries].filter(([question, times]) => / turning\./.test(question) && times !== 1)).toEqual([])
  await refused(urls)
})

test('a redirect back to the same name is checked again', async () => {
  await refused(addresses.map((_address, index) => `http://looping.${index}.test:${port}/again/${index}`))
})

test('malformed hosts are invalid', async () => {
  const malformed = [
    ...['', 'http://', 'http://127.0.0.1../', 'http://localhost../', 'http://a..b/', 'http://256.1.1.1/'],
    ...['http://1.2.3.4.5/', 'http://0x100000000/', 'http://[fe80::1%25lo]/', 'http://[::1%lo]/', 'http://[::1/'],
    ...[
      'http://127.0.0.1%00.test/',
      'http://127.0.0.1%20/',
      "http://a'b/",
      'http://a*b/',
      `http://${'a'.repeat(64)}.test/`,
    ],
    ...['http://me@127.0.0.1/', 'http://me:pw@127.0.0.1/', 'http://:pw@127.0.0.1/', 'file:///etc/passwd'],
    ...[
      'ftp://127.0.0.1/',
      'gopher://127.0.0.1/',
      'data:text/plain,x',
      'javascript:1',
      'unix:/run/docker.sock',
      'ws://127.0.0.1/',
    ],
  ]
  await inBatches(malformed, async (url) => expect(await failureOf(url), url).toMatchObject({ kind: 'invalid' }))
})

test('no victim was reached, and no connection left for another address', () => {
  console.log(
    `${cases} hostile cases, ${watch.dialled.length} connections to the allowed address, ${caught} to victims`,
  )
  expect(cases).toBeGreaterThan(10_000)
  expect(caught).toBe(0)
  expect([...new Set(watch.dialled)]).toEqual([ATTACKER])
})

async function refused(urls: readonly string[]): Promise<void> {
  await inBatches(urls, async (url) => {
    const failure = await failureOf(url)
    expect(failure, url).toMatchObject({ kind: 'forbidden' })
    expect(String(failure), url).toMatch(/ICOSA_FETCH_ALLOW/)
  })
}

async function failureOf(url: string): Promise<unknown> {
  return fetch(url).then(
    ({ status }) => new Error(`${url} answered ${status}`),
    (failure) => (failure instanceof Failure ? failure : new Error(`${url} broke`, { cause: failure })),
  )
}

async function inBatches(urls: readonly string[], visit: (url: string) => Promise<unknown>): Promise<void> {
  cases += urls.length
  for (let at = 0; at < urls.length; at += 16) await Promise.all(urls.slice(at, at + 16).map(visit))
}

async function listen(host: string, requestedPort: number, listener: RequestListener): Promise<number> {
  const server = createServer(listener).listen(requestedPort, host)
  servers.push(server)
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

function text({ body }: { readonly body: Uint8Array }): string {
  return new TextDecoder().decode(body)
}
