import { execFile, execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { connect as connectPlain } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { promisify } from 'node:util'
import { freePort } from '@icosa/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { KeyInput } from '../keys/contract.ts'
import { type HsmApp, type OpenedModule, startModules } from '../testing/app.ts'
import { toBytes } from './wire.ts'

const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'icosa-remote-'))
const at = (name: string) => join(folder, name)
const data = at('data')
chmodSync(folder, 0o777)

let world: HsmApp
let module: OpenedModule
let port: number
let pin: string
beforeAll(async () => {
  const certificate = ['-x509', '-days', '2', '-subj', '/CN=localhost', '-keyout', at('tls.key'), '-out', at('tls.crt')]
  const key = ['req', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  execFileSync('openssl', [...key, ...certificate], { stdio: 'ignore' })
  port = await freePort()
  const files = { remoteCertificate: at('tls.crt'), remoteKey: at('tls.key') }
  world = await startModules({ remotePort: port, pinAttempts: 2, ...files })
  module = await world.open('elsewhere')
  const make = (keyName: string, body: KeyInput) => module.keys.make({ params: { moduleId: module.id, keyName }, body })
  await make('curve', { type: 'EC', curve: 'P-256' })
  await make('rsa', { type: 'RSA', size: 2048 })
  await make('mine', { type: 'EC', curve: 'P-256', access: [{ caller: 'other', operations: ['sign'] }] })
  pin = (await module.keys.replacePin({ params: { moduleId: module.id } })).body.pin
  writeFileSync(data, randomBytes(5_000))
})
afterAll(() => world[Symbol.asyncDispose]())

const connectTls = (moduleId: string) =>
  connect({
    ...{ port, host: '127.0.0.1', servername: moduleId, ca: readFileSync(at('tls.crt')) },
    checkServerIdentity: () => undefined, // the certificate itself is trusted
  })

// p11-kit ignores root's own configuration.
const user = process.getuid?.() === 0 ? ['setpriv', '--reuid', '65534', '--regid', '65534', '--clear-groups'] : []

/** A remote machine with p11-kit and OpenSC, configured for a module. */
function machine(moduleId: string) {
  const home = mkdtempSync(join(folder, 'home-'))
  const modules = join(home, '.config/pkcs11/modules')
  mkdirSync(modules, { recursive: true })
  chmodSync(home, 0o755)
  const tls = `openssl s_client -quiet -no_ign_eof -nocommands -verify_return_error -CAfile ${at('tls.crt')}`
  const address = `-verify_hostname localhost -servername ${moduleId} -connect 127.0.0.1:${port}`
  writeFileSync(join(modules, 'icosa.module'), `remote: |${tls} ${address}\n`)
  const [program = '', ...before] = [
    ...user,
    'pkcs11-tool',
    '--module',
    'p11-kit-proxy.so',
    '--token-label',
    'elsewhere',
  ]
  return async (...args: string[]) => {
    const env = { PATH: process.env.PATH, HOME: home }
    const { stdout, stderr } = await run(program, [...before, ...args], { env, cwd: '/', timeout: 60_000 })
    return stdout + stderr
  }
}

/** A key's PKCS#11 id is its name. */
const idOf = (name: string) => Buffer.from(name).toString('hex')

async function publicKey(keyName: string): Promise<string> {
  const { publicKey: pem } = (await module.keys.get({ params: { moduleId: module.id, keyName } })).body
  writeFileSync(at(`${keyName}.pem`), pem ?? '')
  return at(`${keyName}.pem`)
}

test.each([
  ['curve', 'ECDSA', []],
  ['rsa', 'SHA256-RSA-PKCS', []],
  ['rsa', 'RSA-PKCS-PSS', ['-sigopt', 'rsa_padding_mode:pss', '-sigopt', 'rsa_pss_saltlen:32']],
])('pkcs11-tool signs remotely with %s by %s', async (name, mechanism, options) => {
  const tool = machine(module.id)
  const isPss = mechanism === 'RSA-PKCS-PSS'
  const takesDigest = isPss || mechanism === 'ECDSA'
  const digest = execFileSync('openssl', ['dgst', '-sha256', '-binary', data])
  writeFileSync(at('digest'), digest)
  const format = name === 'curve' ? ['--signature-format', 'openssl'] : []
  const hash = isPss ? ['--hash-algorithm', 'SHA256', '--mgf', 'MGF1-SHA256', '--salt-len', '32'] : []
  const files = ['--input-file', takesDigest ? at('digest') : data, '--output-file', at('signature')]
  await tool(
    '--login',
    '--pin',
    pin,
    '--sign',
    '--id',
    idOf(name),
    '--mechanism',
    mechanism,
    ...format,
    ...hash,
    ...files,
  )
  const verify = ['dgst', '-sha256', '-verify', await publicKey(name), ...options, '-signature', at('signature'), data]
  expect(execFileSync('openssl', verify).toString()).toContain('Verified OK')
})

test('keys are listed, and each use is recorded', async () => {
  const tool = machine(module.id)
  const listed = await tool('--login', '--pin', pin, '--list-objects')
  expect(listed).toMatch(/Private Key Object; EC[\s\S]*label:\s+curve/)
  expect(listed).toMatch(/Private Key Object; RSA[\s\S]*label:\s+rsa/)
  expect(listed).toMatch(/Access:\s+sensitive, always sensitive, never extractable, local/)
  const { value } = (await module.keys.listUses({ params: { moduleId: module.id }, query: { key: 'curve' } })).body
  expect(value).toMatchObject([
    { operation: 'sign', algorithm: 'ES256', caller: 'pin:pkcs11', outcome: 'done' },
    { operation: 'make' },
  ])
})

test('access lists, login and PIN are enforced, per module', async () => {
  const tool = machine(module.id)
  const sign = (...login: string[]) => {
    const files = ['--input-file', at('digest'), '--output-file', at('none')]
    return tool(...login, '--sign', '--id', idOf('mine'), '--mechanism', 'ECDSA', ...files)
  }
  await expect(sign('--login', '--pin', pin)).rejects.toThrow(/KEY_FUNCTION_NOT_PERMITTED/)
  expect(await tool('--list-objects')).not.toContain('curve')
  await expect(tool('--login', '--pin', 'guessed', '--list-objects')).rejects.toThrow(/PIN_INCORRECT/)
  const other = await world.open('other', 'rival')
  await expect(machine(other.id)('--login', '--pin', pin, '--list-objects')).rejects.toThrow()
  await expect(machine('00000000-0000-4000-8000-000000000000')('--list-objects')).rejects.toThrow()
  await expect(tool('--login', '--pin', 'guessed again', '--list-objects')).rejects.toThrow(/PIN_INCORRECT/)
  await expect(tool('--login', '--pin', pin, '--list-objects')).rejects.toThrow(/PIN_LOCKED/)
  pin = (await module.keys.replacePin({ params: { moduleId: module.id } })).body.pin
})

test('malformed input ends only its own connection', async () => {
  const call = (body: Buffer) => toBytes({ code: 1, options: Buffer.alloc(0), body })
  const hostile = [
    randomBytes(4_000),
    Buffer.concat([Buffer.of(0), Buffer.alloc(12, 0xff)]),
    Buffer.concat([Buffer.of(0), call(Buffer.from('00000026000000037561', 'hex'))]),
    Buffer.concat([Buffer.of(0), call(Buffer.alloc(0))]),
    ...Array.from({ length: 50 }, () => Buffer.concat([Buffer.of(0), call(randomBytes(1 + (randomBytes(1)[0] ?? 0)))])),
  ]
  for (const bytes of hostile) {
    const socket = connectTls(module.id)
    socket.on('error', () => {})
    await once(socket, 'secureConnect')
    socket.end(bytes)
    socket.resume()
    await once(socket, 'close')
  }
  expect(await machine(module.id)('--login', '--pin', pin, '--list-objects')).toContain('curve')
})

test('one address cannot exhaust connections without starting a handshake', async () => {
  const idle = Array.from({ length: 600 }, () => connectPlain({ port, host: '127.0.0.1', localAddress: '127.0.0.2' }))
  try {
    for (const socket of idle) socket.on('error', () => {})
    await expect.poll(() => idle.filter(({ connecting }) => connecting).length).toBe(0)
    expect(await machine(module.id)('--login', '--pin', pin, '--list-objects')).toContain('curve')
    await expect.poll(() => idle.filter(({ destroyed }) => !destroyed).length).toBeLessThanOrEqual(50)
  } finally {
    for (const socket of idle) socket.destroy()
  }
})

test('plaintext, old TLS versions and unknown server names get no answer', async () => {
  const plain = connectPlain({ port, host: '127.0.0.1' }).on('error', () => {})
  plain.end(Buffer.concat([Buffer.of(0), toBytes({ code: 1, options: Buffer.alloc(0), body: Buffer.alloc(4) })]))
  const received: Buffer[] = []
  plain.on('data', (chunk) => received.push(chunk))
  await once(plain, 'close')
  expect(Buffer.concat(received).subarray(0, 1), 'a TLS alert at most').not.toEqual(Buffer.of(0))
  const old = connect({
    port,
    host: '127.0.0.1',
    maxVersion: 'TLSv1.1',
    minVersion: 'TLSv1',
    rejectUnauthorized: false,
  })
  await expect(once(old, 'secureConnect')).rejects.toThrow()
  for (const name of ['localhost', `${module.id}.example`, module.id.toUpperCase()]) {
    const socket = connectTls(name).on('error', () => {})
    const chunks: Buffer[] = []
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.end(Buffer.of(0))
    await once(socket, 'close')
    expect(chunks).toEqual([])
  }
})
