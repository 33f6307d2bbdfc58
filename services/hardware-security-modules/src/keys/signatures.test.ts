import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type HsmApp, type OpenedModule, startModules } from '../testing/app.ts'

let world: HsmApp
let module: OpenedModule
beforeAll(async () => {
  world = await startModules()
  module = await world.open('signing')
})
afterAll(() => world[Symbol.asyncDispose]())

const kinds = [
  { type: 'RSA', size: 2048, algorithm: 'RS256', hash: 'sha256' },
  { type: 'RSA', size: 3072, algorithm: 'RS512', hash: 'sha512' },
  { type: 'RSA', size: 2048, algorithm: 'PS256', hash: 'sha256', pss: 32 },
  { type: 'RSA', size: 2048, algorithm: 'PS384', hash: 'sha384', pss: 48 },
  { type: 'EC', curve: 'P-256', algorithm: 'ES256', hash: 'sha256' },
  { type: 'EC', curve: 'P-384', algorithm: 'ES384', hash: 'sha384' },
  { type: 'EC', curve: 'P-521', algorithm: 'ES512', hash: 'sha512' },
  { type: 'OKP', curve: 'Ed25519', algorithm: 'EdDSA' },
] as const

test.each(kinds)('openssl verifies $algorithm signatures of an $type key $size $curve', async (kind) => {
  const { algorithm, type } = kind
  const hash = 'hash' in kind ? kind.hash : undefined
  const keyName = `of-${algorithm}`
  const body = { type, ...('size' in kind && { size: kind.size }), ...('curve' in kind && { curve: kind.curve }) }
  const key = await module.keys.make({ params: { moduleId: module.id, keyName }, body })
  expect(key).toMatchObject({ status: 201, body: { name: keyName, type, exportable: false, imported: false } })

  const params = { moduleId: module.id, keyName }
  const data = randomBytes(1_000)
  const value = data.toString('base64')
  const { signature } = (await module.keys.sign({ params, body: { algorithm, value } })).body
  const verified = openssl(key.body.publicKey ?? '', data, Buffer.from(signature, 'base64'), kind)
  expect(verified).toMatch(/Verified OK|Verified Successfully/)
  const other = Buffer.from(data)
  other.writeUInt8(other.readUInt8(7) ^ 1, 7)
  expect(openssl(key.body.publicKey ?? '', other, Buffer.from(signature, 'base64'), kind)).toMatch(/fail/i)

  const check = async (body: object) =>
    (await module.keys.verify({ params, body: { algorithm, signature, value, ...body } as never })).body.valid
  expect(await check({})).toBe(true)
  expect(await check({ value: other.toString('base64') })).toBe(false)
  expect(await check({ signature: randomBytes(64).toString('base64') })).toBe(false)
  if (hash === undefined) return
  const digest = createHash(hash).update(data).digest('base64')
  const ofDigest = (await module.keys.sign({ params, body: { algorithm, digest, encoding: 'raw' } })).body.signature
  expect(await check({ value: undefined, digest, signature: ofDigest, encoding: 'raw' })).toBe(true)
})

function openssl(publicKey: string, data: Buffer, signature: Buffer, kind: (typeof kinds)[number]): string {
  const folder = mkdtempSync(join(tmpdir(), 'icosa-openssl-'))
  const file = (name: string, content: string | Buffer) => {
    writeFileSync(join(folder, name), content)
    return join(folder, name)
  }
  const [key, message, signatureFile] = [file('key.pem', publicKey), file('data', data), file('signature', signature)]
  const pss = 'pss' in kind ? ['-sigopt', 'rsa_padding_mode:pss', '-sigopt', `rsa_pss_saltlen:${kind.pss}`] : []
  const args =
    'hash' in kind
      ? ['dgst', `-${kind.hash}`, '-verify', key, ...pss, '-signature', signatureFile, message]
      : ['pkeyutl', '-verify', '-pubin', '-inkey', key, '-rawin', '-in', message, '-sigfile', signatureFile]
  try {
    return execFileSync('openssl', args, { encoding: 'utf8', stdio: 'pipe' })
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string }
    return stdout + stderr
  }
}
