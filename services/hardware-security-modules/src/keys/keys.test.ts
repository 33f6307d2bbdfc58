import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type HsmApp, type OpenedModule, startModules } from '../testing/app.ts'
import type { KeyInput } from './contract.ts'

let world: HsmApp
let module: OpenedModule
beforeAll(async () => {
  world = await startModules({ keys: 40 })
  module = await world.open('keeping')
})
afterAll(() => world[Symbol.asyncDispose]())

const at = (keyName: string) => ({ params: { moduleId: module.id, keyName } })
const value = randomBytes(40).toString('base64')
const refusal = (status: number, says: string) => ({
  status,
  body: { error: { message: expect.stringContaining(says) } },
})

test('a key is made, read, listed, used and destroyed', async () => {
  const body: KeyInput = { type: 'EC', curve: 'P-384', operations: ['verify', 'sign'], exportable: false }
  const made = await module.keys.make({ ...at('first'), body })
  expect(made.status).toBe(201)
  expect(made.body.publicKey).toContain('BEGIN PUBLIC KEY')
  expect(await module.keys.make({ ...at('first'), body })).toMatchObject({ status: 200, body: made.body })
  const other = module.keys.make({ ...at('first'), body: { type: 'EC', curve: 'P-256' } })
  await expect(other).rejects.toMatchObject(refusal(409, 'another key'))

  expect((await module.keys.get(at('first'))).body).toEqual(made.body)
  const { value: all } = (await module.keys.list({ params: { moduleId: module.id } })).body
  expect(all.map(({ name }) => name)).toContain('first')
  await module.keys.sign({ ...at('first'), body: { algorithm: 'ES384', value } })

  expect((await module.keys.delete(at('first'))).status).toBe(204)
  await world.app.jobs.drain()
  await expect(module.keys.get(at('first'))).rejects.toMatchObject({ status: 404 })
  await expect(module.keys.sign({ ...at('first'), body: { algorithm: 'ES384', value } })).rejects.toMatchObject({
    status: 404,
  })
  const again = await module.keys.make({ ...at('first'), body })
  expect(again.body.publicKey).not.toBe(made.body.publicKey)
})

test('sizes and operations are those of the type', async () => {
  const aes = await module.keys.make({ ...at('aes'), body: { type: 'AES', size: 128, operations: ['wrap', 'unwrap'] } })
  expect(aes.body).toMatchObject({ type: 'AES', size: 128, operations: ['wrap', 'unwrap'] })
  expect(aes.body).not.toHaveProperty('publicKey')
  const wrongs = [
    [{ type: 'AES', size: 200 }, 'body/size of AES is one of'],
    [{ type: 'RSA', size: 1024 }, 'body/size of RSA is one of'],
    [{ type: 'EC', size: 256 }, 'body/size is not for EC'],
    [{ type: 'EC', curve: 'Ed25519' }, 'body/curve of EC'],
    [{ type: 'EC', operations: ['wrap'] }, 'an EC key cannot do'],
    [{ type: 'AES', operations: ['wrap', 'decrypt'] }, 'Make one for each'],
    [{ type: 'RSA', operations: ['unwrap', 'encrypt'] }, 'Make one for each'],
    [{ type: 'AES', operations: [] }, 'of no use'],
    [{ type: 'EC', access: [{ caller: '*', operations: ['wrap'] }] }, 'grants wrap'],
  ] as const
  for (const [body, says] of wrongs)
    await expect(module.keys.make({ ...at('wrong'), body: body as never })).rejects.toMatchObject(refusal(400, says))
})

test('of twenty who make the same key, one does, and all have the same', async () => {
  const all = await Promise.all(
    Array.from({ length: 20 }, () =>
      module.keys.make({ ...at('raced'), body: { type: 'EC', curve: 'P-256' } }).catch((error) => error),
    ),
  )
  const kept = (await module.keys.get(at('raced'))).body.publicKey
  const won = all.filter(({ status }) => status === 201)
  expect(won).toHaveLength(1)
  expect(won[0].body.publicKey).toBe(kept)
  for (const { status, body } of all) expect(status === 409 || body.publicKey === kept).toBe(true)
})

test('a full module takes no more keys', async () => {
  const full = await world.open('full')
  const make = (index: number) =>
    full.keys.make({ params: { moduleId: full.id, keyName: `key-${index}` }, body: { type: 'AES' } })
  for (let index = 0; index < 40; index++) await make(index)
  await expect(make(40)).rejects.toMatchObject(refusal(409, 'takes no more'))
})

test('a key encrypts for those who say the same, and tells when something was changed', async () => {
  await module.keys.make({ ...at('data'), body: { type: 'AES' } })
  const [plain, aad] = [randomBytes(5_000).toString('base64'), Buffer.from('row 7').toString('base64')]
  const algorithm = 'AES-GCM'
  const encrypted = (await module.keys.encrypt({ ...at('data'), body: { algorithm, value: plain, aad } })).body.value
  expect((await module.keys.decrypt({ ...at('data'), body: { algorithm, value: encrypted, aad } })).body.value).toBe(
    plain,
  )
  const changed = Buffer.from(encrypted, 'base64')
  changed.writeUInt8(changed.readUInt8(30) ^ 1, 30)
  for (const body of [
    { algorithm, value: encrypted },
    { algorithm, value: changed.toString('base64'), aad },
    { algorithm, value: 'AAAA', aad },
    { algorithm, value: '', aad },
  ] as const)
    await expect(module.keys.decrypt({ ...at('data'), body })).rejects.toMatchObject(refusal(400, 'The token refuses'))
})

test('the access of a key says who does what with it', async () => {
  const body = { type: 'EC', curve: 'P-256', access: [{ caller: 'nobody', operations: ['sign'] }] } as const
  await module.keys.make({ ...at('granted'), body: body as never })
  const sign = () => module.keys.sign({ ...at('granted'), body: { algorithm: 'ES256', value } })
  await expect(sign()).rejects.toMatchObject(refusal(403, 'does not let'))
  const refused = (await module.keys.listUses({ params: { moduleId: module.id }, query: { key: 'granted' } })).body
    .value
  expect(refused[0]).toMatchObject({ operation: 'sign', outcome: 'refused', algorithm: 'ES256' })
  const { caller } = refused[0] ?? {}

  await module.keys.update({ ...at('granted'), body: { access: [{ caller: caller ?? '', operations: ['sign'] }] } })
  expect((await sign()).status).toBe(200)
  const verify = module.keys.verify({ ...at('granted'), body: { algorithm: 'ES256', value, signature: 'AAAA' } })
  await expect(verify).rejects.toMatchObject({ status: 403 })
  const done = (await module.keys.listUses({ params: { moduleId: module.id }, query: { key: 'granted' } })).body.value
  expect(done.map(({ operation, outcome }) => `${operation} ${outcome}`)).toEqual([
    ...['verify refused', 'sign done', 'change access done', 'sign refused', 'make done'],
  ])
})

test('another tenant finds nothing', async () => {
  await module.keys.make({ ...at('mine'), body: { type: 'AES' } })
  const stranger = await world.keysOf('mallory')
  for (const attempt of [
    () => stranger.list({ params: { moduleId: module.id } }),
    () => stranger.get(at('mine')),
    () => stranger.make({ ...at('theirs'), body: { type: 'AES' } }),
    () => stranger.encrypt({ ...at('mine'), body: { algorithm: 'AES-GCM', value } }),
    () => stranger.delete(at('mine')),
    () => stranger.listUses({ params: { moduleId: module.id } }),
    () => stranger.replacePin({ params: { moduleId: module.id } }),
  ])
    await expect(attempt()).rejects.toMatchObject({ status: 404 })
})

test('every use is listed once, page by page', async () => {
  const own = await world.open('audited')
  const key = { params: { moduleId: own.id, keyName: 'one' } }
  await own.keys.make({ ...key, body: { type: 'OKP' } })
  await Promise.all(Array.from({ length: 230 }, () => own.keys.sign({ ...key, body: { algorithm: 'EdDSA', value } })))
  const seen: string[] = []
  let after: string | undefined
  do {
    const query = after === undefined ? {} : { after }
    const { value: page, nextLink } = (await own.keys.listUses({ params: { moduleId: own.id }, query })).body
    seen.push(...page.map(({ operation }) => operation))
    after = nextLink === undefined ? undefined : (new URL(nextLink).searchParams.get('after') ?? undefined)
  } while (after !== undefined)
  expect(seen.filter((operation) => operation === 'sign')).toHaveLength(230)
  expect(seen.at(-1)).toBe('make')
})
