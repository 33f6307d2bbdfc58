import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type HsmApp, type OpenedModule, startModules } from '../testing/app.ts'
import type { KeyInput } from './contract.ts'

let world: HsmApp
let module: OpenedModule
beforeAll(async () => {
  world = await startModules({ keys: 40 })
  module = await world.open('storing')
})
afterAll(() => world[Symbol.asyncDispose]())

const at = (keyName: string) => ({ params: { moduleId: module.id, keyName } })
const value = randomBytes(40).toString('base64')
const refusal = (status: number, message: string) => ({
  status,
  body: { error: { message: expect.stringContaining(message) } },
})

test('a key is created, read, listed, used and destroyed', async () => {
  const body: KeyInput = { type: 'EC', curve: 'P-384', operations: ['verify', 'sign'], exportable: false }
  const created = await module.keys.make({ ...at('first'), body })
  expect(created.status).toBe(201)
  expect(created.body.publicKey).toContain('BEGIN PUBLIC KEY')
  expect(await module.keys.make({ ...at('first'), body })).toMatchObject({ status: 200, body: created.body })
  const other = module.keys.make({ ...at('first'), body: { type: 'EC', curve: 'P-256' } })
  await expect(other).rejects.toMatchObject(refusal(409, 'another key'))

  expect((await module.keys.get(at('first'))).body).toEqual(created.body)
  const { value: all } = (await module.keys.list({ params: { moduleId: module.id } })).body
  expect(all.map(({ name }) => name)).toContain('first')
  await module.keys.sign({ ...at('first'), body: { algorithm: 'ES384', value } })

  expect((await module.keys.delete(at('first'))).status).toBe(204)
  await world.app.jobs.drain()
  await expect(module.keys.get(at('first'))).rejects.toMatchObject({ status: 404 })
  await expect(module.keys.sign({ ...at('first'), body: { algorithm: 'ES384', value } })).rejects.toMatchObject({
    status: 404,
  })
  const recreated = await module.keys.make({ ...at('first'), body })
  expect(recreated.body.publicKey).not.toBe(created.body.publicKey)
})

test('sizes and operations must fit the type', async () => {
  const aes = await module.keys.make({ ...at('aes'), body: { type: 'AES', size: 128, operations: ['wrap', 'unwrap'] } })
  expect(aes.body).toMatchObject({ type: 'AES', size: 128, operations: ['wrap', 'unwrap'] })
  expect(aes.body).not.toHaveProperty('publicKey')
  const invalid = [
    [{ type: 'AES', size: 200 }, 'body/size must be one of 256, 192, 128 for AES'],
    [{ type: 'RSA', size: 1024 }, 'body/size must be one of 2048, 3072, 4096 for RSA'],
    [{ type: 'EC', size: 256 }, 'body/size does not apply to EC'],
    [{ type: 'EC', curve: 'Ed25519' }, 'body/curve must be one of'],
    [{ type: 'EC', operations: ['wrap'] }, 'for EC, not wrap'],
    [{ type: 'AES', operations: ['wrap', 'decrypt'] }, 'create a key for each'],
    [{ type: 'RSA', operations: ['unwrap', 'encrypt'] }, 'create a key for each'],
    [{ type: 'AES', operations: [] }, 'must not be empty'],
    [{ type: 'EC', access: [{ caller: '*', operations: ['wrap'] }] }, 'grants wrap'],
  ] as const
  for (const [body, message] of invalid)
    await expect(module.keys.make({ ...at('wrong'), body: body as never })).rejects.toMatchObject(refusal(400, message))
})

test('of twenty concurrent creations of a key one succeeds, and none returns another key', async () => {
  const responses = await Promise.all(
    Array.from({ length: 20 }, () =>
      module.keys.make({ ...at('raced'), body: { type: 'EC', curve: 'P-256' } }).catch((error) => error),
    ),
  )
  const stored = (await module.keys.get(at('raced'))).body.publicKey
  const created = responses.filter(({ status }) => status === 201)
  expect(created).toHaveLength(1)
  expect(created[0].body.publicKey).toBe(stored)
  for (const { status, body } of responses) expect(status === 409 || body.publicKey === stored).toBe(true)
})

test('a full module refuses further keys', async () => {
  const full = await world.open('full')
  const make = (index: number) =>
    full.keys.make({ params: { moduleId: full.id, keyName: `key-${index}` }, body: { type: 'AES' } })
  for (let index = 0; index < 40; index++) await make(index)
  await expect(make(40)).rejects.toMatchObject(refusal(409, 'The module is full'))
})

test('decryption requires the same associated data and unmodified ciphertext', async () => {
  await module.keys.make({ ...at('data'), body: { type: 'AES' } })
  const [plain, aad] = [randomBytes(5_000).toString('base64'), Buffer.from('row 7').toString('base64')]
  const algorithm = 'AES-GCM'
  const encrypted = (await module.keys.encrypt({ ...at('data'), body: { algorithm, value: plain, aad } })).body.value
  expect((await module.keys.decrypt({ ...at('data'), body: { algorithm, value: encrypted, aad } })).body.value).toBe(
    plain,
  )
  const modified = Buffer.from(encrypted, 'base64')
  modified.writeUInt8(modified.readUInt8(30) ^ 1, 30)
  for (const body of [
    { algorithm, value: encrypted },
    { algorithm, value: modified.toString('base64'), aad },
    { algorithm, value: 'AAAA', aad },
    { algorithm, value: '', aad },
  ] as const)
    await expect(module.keys.decrypt({ ...at('data'), body })).rejects.toMatchObject(refusal(400, 'The token refuses'))
})

test('the access list of a key determines who may use it, and how', async () => {
  const body = { type: 'EC', curve: 'P-256', access: [{ caller: 'nobody', operations: ['sign'] }] } as const
  await module.keys.make({ ...at('granted'), body: body as never })
  const sign = () => module.keys.sign({ ...at('granted'), body: { algorithm: 'ES256', value } })
  await expect(sign()).rejects.toMatchObject(refusal(403, 'does not allow'))
  const refused = (await module.keys.listUses({ params: { moduleId: module.id }, query: { key: 'granted' } })).body
    .value
  expect(refused[0]).toMatchObject({ operation: 'sign', outcome: 'refused', algorithm: 'ES256' })
  const { caller } = refused[0] ?? {}

  await module.keys.update({ ...at('granted'), body: { access: [{ caller: caller ?? '', operations: ['sign'] }] } })
  expect((await sign()).status).toBe(200)
  const verify = module.keys.verify({ ...at('granted'), body: { algorithm: 'ES256', value, signature: 'AAAA' } })
  await expect(verify).rejects.toMatchObject({ status: 403 })
  const uses = (await module.keys.listUses({ params: { moduleId: module.id }, query: { key: 'granted' } })).body.value
  expect(uses.map(({ operation, outcome }) => `${operation} ${outcome}`)).toEqual([
    ...['verify refused', 'sign done', 'change access done', 'sign refused', 'make done'],
  ])
})

test('another tenant gets 404 for every operation', async () => {
  await module.keys.make({ ...at('mine'), body: { type: 'AES' } })
  const mallory = await world.keysOf('mallory')
  for (const attempt of [
    () => mallory.list({ params: { moduleId: module.id } }),
    () => mallory.get(at('mine')),
    () => mallory.make({ ...at('theirs'), body: { type: 'AES' } }),
    () => mallory.encrypt({ ...at('mine'), body: { algorithm: 'AES-GCM', value } }),
    () => mallory.delete(at('mine')),
    () => mallory.listUses({ params: { moduleId: module.id } }),
    () => mallory.replacePin({ params: { moduleId: module.id } }),
  ])
    await expect(attempt()).rejects.toMatchObject({ status: 404 })
})

test('every use is listed once across pages', async () => {
  const own = await world.open('audited')
  const key = { params: { moduleId: own.id, keyName: 'one' } }
  await own.keys.make({ ...key, body: { type: 'OKP' } })
  await Promise.all(Array.from({ length: 230 }, () => own.keys.sign({ ...key, body: { algorithm: 'EdDSA', value } })))
  const operations: string[] = []
  let after: string | undefined
  do {
    const query = after === undefined ? {} : { after }
    const { value: page, nextLink } = (await own.keys.listUses({ params: { moduleId: own.id }, query })).body
    operations.push(...page.map(({ operation }) => operation))
    after = nextLink === undefined ? undefined : (new URL(nextLink).searchParams.get('after') ?? undefined)
  } while (after !== undefined)
  expect(operations.filter((operation) => operation === 'sign')).toHaveLength(230)
  expect(operations.at(-1)).toBe('make')
})
