import { sql } from '@icosa/kernel'
import { expect, test } from 'vitest'
import { module } from '../module.ts'
import { settings } from '../settings.ts'
import { maxBytes } from '../shapes/contract.ts'
import { startUnpack } from '../testing/app.ts'

const text = Buffer.from('no program')
const other = { from: '127.0.0.2' }
const hourMs = 3_600_000
/** YARA-X scans thousands of letters ahead from each letter a. */
const endless: [string, string] = ['rules', 'rule a { strings: $a = /a.{0,9999}b.{0,9999}c/ condition: #a > 1 }']

test('an address that has used up its hourly bytes is refused until the next hour, others are not', async () => {
  await using service = await startUnpack({ bytes: 2 * text.length })
  const upload = async (options = {}) => (await service.post('/unpack', text, [], options)).status
  expect([await upload(), await upload()], 'both are stored, and refused as they are not programs').toEqual([400, 400])
  const refused = await service.post('/unpack', text)
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(hourMs / 1_000)
  expect(await refused.json()).toEqual({ status: 429, message: expect.stringContaining('MB of uploads in an hour') })
  expect(await upload(other)).toBe(400)
  expect(await upload({ key: await service.app.key('acme') }), 'a key has its own budget').toBe(400)
  await service.app.clock.advance(hourMs)
  expect(await upload()).toBe(400)
})

test('all anonymous callers share a storage budget, whatever their addresses', async () => {
  await using service = await startUnpack({ anonymousBytes: text.length })
  const upload = async (options = {}) => (await service.post('/unpack', text, [], options)).status
  expect(await upload()).toBe(400)
  expect(await upload(other)).toBe(503)
  expect(await upload({ key: await service.app.key('acme') })).toBe(400)
})

test('concurrent requests cannot exceed the hourly CPU time of an address', async () => {
  await using service = await startUnpack({ cpuMs: 1_500, ruleMs: 1_000 })
  const apply = async (options = {}) =>
    (await service.post('/apply-yara-rules', Buffer.alloc(2_000_000, 'a'), [endless], options)).status
  const statuses = await Promise.all([1, 2, 3, 4].map(() => apply()))
  expect(statuses.toSorted()).toEqual([400, 429, 429, 429])
  expect(await apply(), 'the first has used up its time').toBe(429)
  expect(await apply(other)).toBe(400)
})

test('unused reservations are refunded', async () => {
  await using service = await startUnpack({ cpuMs: 40_000, ruleMs: 20_000, bytes: 2 * maxBytes })
  for (let round = 0; round < 5; round++)
    expect((await service.post('/apply-yara-rules', text, [['rules', 'rule a { condition: true }']])).status).toBe(200)
  const usage = await service.app.platform.database.reading.many(sql`
    select tenant, bytes::text from unpack_analysis.usage order by tenant`)
  expect(usage).toEqual([
    { tenant: '*', bytes: String(5 * text.length) },
    { tenant: 'address 127.0.0.1', bytes: String(5 * text.length) },
  ])
})

test('a closed service requires keys, and an open one is reported to its operator', async () => {
  await using service = await startUnpack({ anonymous: 'closed' })
  const refused = await service.post('/unpack', text)
  expect(refused.status).toBe(401)
  expect(await refused.json()).toEqual({ status: 401, message: expect.stringContaining('X-Api-Key') })
  expect((await service.post('/unpack', text, [], { key: await service.app.key('acme') })).status).toBe(400)
  expect((await service.post('/unpack', text, [], { key: 'icosa_wrong' })).status).toBe(401)
  const platformInfo = { hasDevelopmentDatabase: false } as Parameters<NonNullable<typeof module.inspect>>[1]
  expect(await module.inspect?.(settings.read({}), platformInfo)).toEqual([
    expect.stringContaining('callers without a key'),
  ])
  expect(await module.inspect?.(settings.read({ ICOSA_UNPACK_ANONYMOUS: 'closed' }), platformInfo)).toEqual([])
})
