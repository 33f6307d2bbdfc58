import {
  constants,
  createCipheriv,
  createDecipheriv,
  createVerify,
  generateKeyPairSync,
  publicEncrypt,
  randomBytes,
  verify,
} from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type HsmApp, type OpenedModule, startModules } from '../testing/app.ts'

let world: HsmApp
let module: OpenedModule
/** An AES key created outside and imported under an RSA key of the module. */
const transportKey = randomBytes(32)
beforeAll(async () => {
  world = await startModules()
  module = await world.open('wrapping')
  const { body } = await module.keys.make({
    ...at('door'),
    body: { type: 'RSA', size: 2048, operations: ['wrap', 'unwrap'] },
  })
  const value = publicEncrypt(
    { key: body.publicKey ?? '', padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha1' },
    transportKey,
  ).toString('base64')
  const imported = await module.keys.unwrap({
    ...at('door'),
    body: { algorithm: 'RSA-OAEP', value, name: 'transport', type: 'AES', size: 256, operations: ['unwrap'] },
  })
  expect(imported).toMatchObject({ status: 201, body: { name: 'transport', imported: true, exportable: false } })
})
afterAll(() => world[Symbol.asyncDispose]())

const at = (keyName: string) => ({ params: { moduleId: module.id, keyName } })
const data = randomBytes(100)
const value = data.toString('base64')

/** Wraps by RFC 5649. */
function wrap(key: Buffer, secret: Buffer): string {
  const cipher = createCipheriv('id-aes256-wrap-pad' as 'aes-256-gcm', key, Buffer.from('a65959a6', 'hex'))
  return Buffer.concat([cipher.update(secret), cipher.final()]).toString('base64')
}

test.each([
  ['RSA', 'RS256', () => generateKeyPairSync('rsa', { modulusLength: 2048 }), {}],
  ['EC', 'ES256', () => generateKeyPairSync('ec', { namedCurve: 'P-256' }), { curve: 'P-256' }],
] as const)(
  'a private %s key created elsewhere is imported wrapped, and signs',
  async (type, algorithm, make, more) => {
    const pair = make()
    const pem = pair.publicKey.export({ type: 'spki', format: 'pem' }).toString()
    const der = pair.privateKey.export({ type: 'pkcs8', format: 'der' })
    const name = `imported-${type}`
    const body = { algorithm: 'AES-KWP', value: wrap(transportKey, der), name, type, ...more } as const
    const ofCurve = type === 'EC' ? { publicKey: pem } : {}
    const { body: key } = await module.keys.unwrap({ ...at('transport'), body: { ...body, ...ofCurve } })
    expect(key).toMatchObject({ imported: true, publicKey: pem })
    const { signature } = (await module.keys.sign({ ...at(name), body: { algorithm, value } })).body
    expect(createVerify('sha256').update(data).verify(pem, signature, 'base64')).toBe(true)
    const repeated = module.keys.unwrap({ ...at('transport'), body: { ...body, ...ofCurve } })
    await expect(repeated).rejects.toMatchObject({ status: 409 })
  },
)

test('an invalid wrapped key or public key is refused, and nothing is stored', async () => {
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ type: 'spki', format: 'pem' })
  const valid = wrap(transportKey, pair.privateKey.export({ type: 'pkcs8', format: 'der' }))
  const body = { algorithm: 'AES-KWP', name: 'refused', type: 'EC', curve: 'P-256' } as const
  const publicKey = other.toString()
  for (const invalid of [
    { ...body, value: valid, publicKey },
    { ...body, value: valid },
    { ...body, value: valid, publicKey: 'nonsense' },
    { ...body, value: randomBytes(152).toString('base64'), publicKey },
    { ...body, value: '', publicKey },
    { ...body, value: valid, publicKey, operations: ['verify' as const] },
  ])
    await expect(module.keys.unwrap({ ...at('transport'), body: invalid })).rejects.toMatchObject({ status: 400 })
  await expect(module.keys.get(at('refused'))).rejects.toMatchObject({ status: 404 })
})

test('an exportable key is exported wrapped and imported again, another one is not exported', async () => {
  await module.keys.make({ ...at('keeper'), body: { type: 'AES', operations: ['wrap', 'unwrap'] } })
  const kinds = { type: 'EC', curve: 'P-256' } as const
  const { body: key } = await module.keys.make({ ...at('traveller'), body: { ...kinds, exportable: true } })
  await module.keys.make({ ...at('hermit'), body: kinds })
  const exportKey = (key: string) => module.keys.wrap({ ...at('keeper'), body: { algorithm: 'AES-KWP', key } })
  const { value: wrapped } = (await exportKey('traveller')).body
  await expect(exportKey('hermit')).rejects.toMatchObject({ status: 403, body: { error: { code: 'KeyUnexportable' } } })

  await module.keys.delete(at('traveller'))
  await world.app.jobs.drain()
  const publicKey = key.publicKey ?? ''
  const body = { algorithm: 'AES-KWP', value: wrapped, name: 'returned', publicKey, ...kinds } as const
  await module.keys.unwrap({ ...at('keeper'), body })
  const { signature } = (await module.keys.sign({ ...at('returned'), body: { algorithm: 'ES256', value } })).body
  expect(verify('sha256', data, publicKey, Buffer.from(signature, 'base64'))).toBe(true)
})

test('an imported key cannot wrap others, and wrapped keys cannot be decrypted as data', async () => {
  const wrapped = publicEncrypt(
    {
      key: (await module.keys.get(at('door'))).body.publicKey ?? '',
      padding: constants.RSA_PKCS1_OAEP_PADDING,
      oaepHash: 'sha1',
    },
    randomBytes(32),
  ).toString('base64')
  const body = { algorithm: 'RSA-OAEP', value: wrapped, name: 'known', type: 'AES', operations: ['wrap'] } as const
  await expect(module.keys.unwrap({ ...at('door'), body: body as never })).rejects.toMatchObject({ status: 400 })
  const decrypt = module.keys.decrypt({ ...at('door'), body: { algorithm: 'RSA-OAEP', value: wrapped } })
  await expect(decrypt).rejects.toMatchObject({ status: 403, body: { error: { code: 'KeyDoesNot' } } })
})

test('an AES key wrapped by openssl under RFC 3394 is imported', async () => {
  const secret = randomBytes(32)
  const cipher = createCipheriv('id-aes256-wrap' as 'aes-256-gcm', transportKey, Buffer.alloc(8, 0xa6))
  const wrapped = Buffer.concat([cipher.update(secret), cipher.final()]).toString('base64')
  const body = { algorithm: 'AES-KW', value: wrapped, name: 'plain', type: 'AES' } as const
  await module.keys.unwrap({ ...at('transport'), body })
  const request = { algorithm: 'AES-GCM', value } as const
  const encrypted = Buffer.from((await module.keys.encrypt({ ...at('plain'), body: request })).body.value, 'base64')
  const decipher = createDecipheriv('aes-256-gcm', secret, encrypted.subarray(0, 12))
  decipher.setAuthTag(encrypted.subarray(-16))
  expect(Buffer.concat([decipher.update(encrypted.subarray(12, -16)), decipher.final()])).toEqual(data)
})
