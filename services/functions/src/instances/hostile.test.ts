import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Revision } from '../revision.ts'
import { openSite, type TestNode, type TestSite } from './testing/site.ts'

let site: TestSite
let node: TestNode
/** A function of another tenant, which must not be affected. */
let neighbour: Revision
let hostile: Revision
const secret = 'a-secret-of-another-tenant'
const cleanups: (() => unknown)[] = []

beforeAll(async () => {
  site = await openSite('runsc')
  node = await site.node()
  neighbour = site.revision(`exports.main = (req, res) => res.send('fine') // ${secret}`, {
    tenant: 'other',
    environment: { SECRET: secret },
  })
  hostile = site.revision(code, { memoryBytes: 192 * 2 ** 20, concurrency: 4, timeoutMs: 120_000 })
  await Promise.all([node.ask(neighbour), node.ask(hostile, '/?do=ok')])
})
afterAll(async () => {
  for (const cleanup of cleanups) cleanup()
  await site.close()
})

/** Performs the act named in the request and returns its result. */
const code = `
const fs = require('fs'), net = require('net'), http = require('http'), dns = require('dns'), { spawn } = require('child_process')
const attempt = (work) => { try { return String(work()) } catch (error) { return error.code || error.message } }
const walk = (at, depth) => depth === 0 ? [] : listOrEmpty(() => fs.readdirSync(at || '/', { withFileTypes: true })).flatMap((e) =>
  e.isDirectory() && !e.isSymbolicLink() ? walk(at + '/' + e.name, depth - 1) : [at + '/' + e.name])
const listOrEmpty = (work) => { try { return work() } catch { return [] } }
const connecting = (options) => new Promise((done) => net.connect(options).on('connect', () => done('connected'))
  .on('error', (error) => done(error.code)).setTimeout(5000, function () { this.destroy(); done('silence') }))
const acts = {
  ok: () => 'ok',
  async log() { for (let n = 0; n < 200; n++) { process.stdout.write(('x'.repeat(999) + '\\n').repeat(40)); await new Promise((r) => setTimeout(r, 5)) } return 'logged' },
  flood() { for (;;) attempt(() => fs.writeSync(1, 'x'.repeat(65536))) },
  headers(req, res) { for (let n = 0; n < 1e5; n++) res.setHeader('x-' + n, 'y'); return 'sent' },
  nonsense(req, res) { res.socket.end('this is no HTTP\\r\\n\\r\\n'); return undefined },
  twice(req, res) { res.socket.write('HTTP/1.1 200 OK\\r\\nContent-Length: 5\\r\\n\\r\\nfirstHTTP/1.1 200 OK\\r\\nContent-Length: 6\\r\\n\\r\\nsecond'); return undefined },
  smuggle(req, res) { res.socket.write('HTTP/1.1 200 OK\\r\\nContent-Length: 5\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n0\\r\\n\\r\\n'); return undefined },
  never: () => undefined,
  just() { global.buffer = Buffer.alloc(60 * 2 ** 20, 1); return 'kept ' + global.buffer.length },
  memory() { const buffers = []; for (;;) buffers.push(Buffer.alloc(2 ** 20, 1)) },
  fork() { const results = []; for (let n = 0; n < 500; n++) results.push(attempt(() => { const c = spawn('/bin/sleep', ['100']); c.on('error', () => {}); return c.pid })); return results.filter((pid) => /^\\d+$/.test(pid)).length },
  files: () => walk('', 4).filter((file) => !/^\\/(usr|lib|lib64|bin|proc|sys|dev|runtime)\\//.test(file)).join(' '),
  others: () => [attempt(() => fs.readdirSync('/workspace/..')), attempt(() => fs.readFileSync('/proc/1/environ')), JSON.stringify(process.env)].join(' '),
  write: () => ['/workspace/a', '/runtime/a', '/a', '/node', '/sockets/../a'].map((path) => attempt(() => fs.writeFileSync(path, 'a') ?? 'written')).join(' '),
  disk: () => attempt(() => { const f = fs.openSync('/tmp/big', 'w'); for (let n = 0; n < 4096; n++) fs.writeSync(f, Buffer.alloc(2 ** 20)); return 'filled' }),
  proc: () => fs.readdirSync('/proc').filter((name) => /^\\d+$/.test(name)).map((pid) => attempt(() => fs.readFileSync('/proc/' + pid + '/cmdline'))).join(' '),
  async net(req) { return (await Promise.all([connecting({ host: '169.254.169.254', port: 80 }), connecting({ host: '127.0.0.1', port: Number(req.query.port) }), connecting({ path: req.query.path })])).join(' ') },
  dns: () => new Promise((done) => dns.lookup('metadata.google.internal', (error, address) => done(error ? error.code : address))),
  sockets() { const results = []; for (let n = 0; n < 200; n++) results.push(attempt(() => fs.writeFileSync('/sockets/' + n, 'x'.repeat(4096)) ?? 'created')); return results.filter((result) => result === 'created').length },
  spin() { for (;;) {} },
  exit() { process.exit(0) },
}
exports.main = async (req, res) => { const result = await acts[req.query.do](req, res); if (result !== undefined) res.send(String(result)) }
`

const act = (name: string, more = '') => node.ask(hostile, `/?do=${name}${more}`)

async function expectHealthy(): Promise<void> {
  expect(await node.ask(neighbour)).toMatchObject({ status: 200, body: 'fine' })
  expect(await act('ok'), 'its own next request').toMatchObject({ status: 200, body: 'ok' })
}

test('a function cannot see code, secrets or processes of others, nor write files', async () => {
  const files = (await act('files')).body
  expect(files).toContain('/workspace/index.js')
  expect(files).not.toContain(site.folder)
  expect(files.split(' ').filter((file) => !/^\/(workspace|node|sockets|tmp|etc)(\/|$)/.test(file))).toEqual([])
  const output = [files, (await act('others')).body, (await act('proc')).body].join('\n')
  expect(output).not.toContain(secret)
  expect(output).not.toContain('DATABASE_URL')
  expect(output).not.toMatch(/postgres|vitest/)
  expect((await act('write')).body).not.toContain('written')
  expect((await act('disk')).body).toMatch(/ENOSPC|ENOMEM/)
  await expectHealthy()
})

test('a function cannot reach the network, the metadata server, a resolver or a socket of the host', async () => {
  const reached: string[] = []
  const tcp = createServer(() => reached.push('tcp')).listen(0, '127.0.0.1')
  const path = join(site.folder, 'host.sock')
  const unix = createServer(() => reached.push('unix')).listen(path)
  cleanups.push(
    () => tcp.close(),
    () => unix.close(),
  )
  await Promise.all([once(tcp, 'listening'), once(unix, 'listening')])
  const { port } = tcp.address() as { port: number }
  const { body } = await act('net', `&port=${port}&path=${path}`)
  expect(body.split(' ')).not.toContain('connected')
  expect((await act('dns')).body, 'a placeholder').toMatch(/^240\./)
  expect(reached).toEqual([])
  expect(Number((await act('sockets')).body)).toBeLessThan(64)
  await expectHealthy()
})

test('invalid responses are not forwarded, and responses are not mixed up', async () => {
  expect(await act('headers')).toMatchObject({ status: 502, body: expect.stringContaining('bytes of headers') })
  expect(await act('nonsense')).toMatchObject({ status: 502, body: expect.stringContaining('not HTTP') })
  expect((await act('twice')).body).toBe('first')
  expect([200, 502]).toContain((await act('smuggle')).status)
  for (let n = 0; n < 5; n++) await expectHealthy()
})

test('a busy log drops lines; a flood ends the instance', async () => {
  expect((await act('log')).body).toBe('logged')
  const printed = node.lines.filter(({ text }) => text.startsWith('xxx'))
  expect(printed.length).toBeGreaterThan(0)
  expect(printed.length).toBeLessThan(8_000)
  expect(Math.max(...printed.map(({ text }) => text.length))).toBeLessThanOrEqual(16_384)
  await expect.poll(() => node.log(hostile)).toMatch(/\d+ lines were dropped/)
  const flooded = await act('flood')
  expect([502, 504]).toContain(flooded.status)
  await expectHealthy()
})

test('an instance may use memory up to its limit; beyond it, it is killed and the log has the reason', async () => {
  expect((await act('just')).body).toBe(`kept ${60 * 2 ** 20}`)
  await expectHealthy()
  const { status, body } = await act('memory')
  expect(status).toBe(502)
  expect(body).toContain('memory')
  await expectHealthy()
})

test('forks, busy loops and hanging requests affect only the function itself', async () => {
  expect(Number((await act('fork')).body) || 0).toBeLessThan(100)
  const quick = { ...hostile, id: `${hostile.id}-quick`, timeoutMs: 1_500 }
  const [spins, waits, fine] = await Promise.all([
    node.ask(quick, '/?do=spin'),
    node.ask(quick, '/?do=never'),
    node.ask(neighbour),
  ])
  expect([spins.status, fine.status]).toEqual([504, 200])
  expect([502, 504]).toContain(waits.status) // it may have been on the same instance
  await act('exit')
  await expectHealthy()
  expect(node.errors).toEqual([])
})

test('an invalid artifact is refused with a reason', async () => {
  writeFileSync(join(site.folder, 'bad.tgz'), 'not a tar')
  const revision = site.revision('', { artifact: 'bad.tgz' })
  await expect(node.instances.warm(revision)).rejects.toThrow(/artifact cannot be unpacked/)
})
