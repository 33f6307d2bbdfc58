import { type Job, sql } from '@icosa/kernel'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { catalogs } from '../catalog/catalog.ts'
import { eventDetection } from '../index.ts'
import { openIngestion } from '../mailbox/ingestion.ts'
import type { Evaluation } from '../mailbox/wake.ts'
import { type Calls, type EventApp, message, start } from '../testing/app.ts'
import { createSwing, hotAlarm, readingInput, swing } from '../testing/models.ts'
import { refusal } from '../testing/refusal.ts'

let app: EventApp
let acme: Calls

beforeAll(async () => {
  app = await start()
  acme = await app.caller()
  await createSwing(acme)
  await acme.CreateAlarmModel({ body: hotAlarm })
})
afterAll(() => app[Symbol.asyncDispose]())

const put = async (calls: Calls, ...messages: ReturnType<typeof message>[]) =>
  (await calls.BatchPutMessage({ body: { messages } })).body.BatchPutMessageErrorEntries

const detector = async (calls: Calls, keyValue: string) => {
  const { body } = await calls.DescribeDetector({ params: { detectorModelName: 'swing' }, query: { keyValue } })
  const { stateName, variables } = body.detector.state
  return { stateName, ...Object.fromEntries(variables.map(({ name, value }) => [name, value])) }
}

test('a message moves the detector and the alarm of its key, once each', async () => {
  expect(await put(acme, message('m1', 'Reading', { sensor: 'a', value: 31.5 }))).toEqual([])
  await app.jobs.drain()
  expect(await detector(acme, 'a')).toEqual({ stateName: 'Right', count: '1', last: '31.5' })
  const alarm = await acme.DescribeAlarm({ params: { alarmModelName: 'hot' }, query: { keyValue: 'a' } })
  expect(alarm.body.alarm).toMatchObject({ keyValue: 'a', severity: 3, alarmState: { stateName: 'ACTIVE' } })
})

test('messages of one sender are evaluated in their order, within a batch and from one to the next', async () => {
  for (let batch = 0; batch < 5; batch++) {
    const values = Array.from({ length: 40 }, (_, index) => batch * 40 + index)
    await put(acme, ...values.map((value) => message(`m${value}`, 'Reading', { sensor: 'ordered', value })))
  }
  await app.jobs.drain()
  expect(await detector(acme, 'ordered')).toMatchObject({ count: '200', last: '199' })
  const entries = await app.platform.database.many<{ entry: { messageId: string } }>(sql`
    select entry from event_detection.journal
    where key = 'ordered' and model_kind = 'detector' and kind = 'transition' and entry->>'from' is not null
    order by xact, number`)
  expect(entries.map(({ entry }) => entry.messageId)).toEqual(Array.from({ length: 200 }, (_, index) => `m${index}`))
})

test('every wrong message gets its own error; the others are kept', async () => {
  const errors = await put(
    acme,
    message('good', 'Reading', { sensor: 'b', value: 1 }),
    message('unknown', 'Elsewhere', { sensor: 'b', value: 1 }),
    message('text', 'Reading', 'hello'),
    message('list', 'Reading', [1]),
    { ...message('bytes', 'Reading', {}), payload: Buffer.from([0xff, 0xfe, 0x80]).toString('base64') },
    message('empty', 'Reading', { other: 1 }),
    message('keyless', 'Reading', { value: 1 }),
    message('odd-key', 'Reading', { sensor: 'a b', value: 1 }),
    message('large', 'Reading', { sensor: 'b', value: 'x'.repeat(70_000) }),
    { ...message('plain', 'Reading', {}), payload: '{"sensor":"b","value":2}' },
  )
  expect(errors.map(({ messageId, errorCode }) => [messageId, errorCode])).toEqual([
    ['unknown', 'ResourceNotFoundException'],
    ...['text', 'list', 'bytes', 'empty', 'keyless', 'odd-key', 'large'].map((id) => [id, 'InvalidRequestException']),
  ])
  expect(errors.find(({ messageId }) => messageId === 'keyless')?.errorMessage).toContain("no key at 'sensor'")
  await app.jobs.drain()
  expect(await detector(acme, 'b')).toMatchObject({ count: '2', last: '2' })
})

test('a batch that names an id twice, or no message, is refused as a whole', async () => {
  const twice = [message('m', 'Reading', { sensor: 'c' }), message('m', 'Reading', { sensor: 'c' })]
  expect(await refusal(acme.BatchPutMessage({ body: { messages: twice } }))).toMatchObject({
    status: 400,
    body: { __type: 'InvalidRequestException' },
  })
  expect(await refusal(acme.BatchPutMessage({ body: { messages: [] } }))).toMatchObject({ status: 400 })
})

test('a whole decimal stays one, and a text may hold anything', async () => {
  await put(acme, message('m', 'Reading', '{"sensor":"d","value":20.0}'))
  await app.jobs.drain()
  expect(await detector(acme, 'd')).toMatchObject({ last: '20.0' })
  await put(acme, message('m', 'Reading', { sensor: 'd', value: 'a\0b\ud800 \u001e' }))
  await app.jobs.drain()
  expect(await detector(acme, 'd')).toMatchObject({ count: '2', last: expect.stringContaining('b') })
})

test('another node knows of a new input at once, and messages of many tenants go in one insert', async () => {
  await using second = await start({}, { databaseUrl: app.databaseUrl })
  const tenants = await Promise.all(
    ['t1', 't2', 't3'].map(async (tenant) => ({
      here: await app.caller(tenant),
      there: await second.caller(tenant),
    })),
  )
  const one = message('m', 'Reading', { sensor: 'x', value: 1 })
  for (const { there } of tenants)
    expect(await put(there, one)).toMatchObject([{ errorCode: 'ResourceNotFoundException' }])
  for (const { here } of tenants) await createSwing(here)
  const all = await Promise.all(tenants.flatMap(({ there }) => [put(there, one), put(there, one)]))
  expect(all).toEqual([[], [], [], [], [], []])
  const { here, there } = tenants[0] as (typeof tenants)[0]
  await here.DeleteDetectorModel({ params: { detectorModelName: 'swing' } })
  await here.DeleteInput({ params: { inputName: 'Reading' } })
  expect(await put(there, one)).toMatchObject([{ errorCode: 'ResourceNotFoundException' }])
  await app.jobs.drain()
  for (const tenant of tenants.slice(1)) expect(await detector(tenant.there, 'x')).toMatchObject({ count: '2' })
})

test('a model without a key has one detector', async () => {
  const calls = await app.caller('single')
  await calls.CreateInput({ body: readingInput })
  const { key: _, ...body } = swing
  await calls.CreateDetectorModel({ body })
  expect(await put(calls, message('1', 'Reading', { value: 1 }), message('2', 'Reading', { value: 2 }))).toEqual([])
  await app.jobs.drain()
  const params = { detectorModelName: 'swing' }
  const found = await calls.DescribeDetector({ params })
  expect(found.body.detector).not.toHaveProperty('keyValue')
  expect(found.body.detector.state.variables).toContainEqual({ name: 'count', value: '2' })
})

test('an input that nobody reads takes messages, and they are gone', async () => {
  const calls = await app.caller('silent')
  await calls.CreateInput({ body: readingInput })
  expect(await put(calls, message('1', 'Reading', { sensor: 'a' }))).toEqual([])
})

test('messages that are on their way are written before a node stops, though nobody waits for them', async () => {
  const evaluate = eventDetection().jobs?.find(({ name }) => name === 'evaluate') as Job<Evaluation>
  const { ingest, flush } = openIngestion(app.platform, evaluate, catalogs())
  const leaving = (id: string) => message(id, 'Reading', { sensor: 'leaving', value: 1 })
  await ingest('acme', [leaving('first')])
  for (let count = 0; count < 50; count++) void ingest('acme', [leaving(`m${count}`)])
  await flush()
  const { waiting } = await app.platform.database.one<{ waiting: number }>(sql`
    select sum(messages)::int as waiting from event_detection.mailbox where tenant = 'acme'`)
  await app.jobs.drain()
  expect(waiting).toBeGreaterThanOrEqual(51)
  expect(await detector(acme, 'leaving')).toMatchObject({ count: '51' })
})
