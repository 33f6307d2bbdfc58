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

test('a message updates the detector and the alarm of its key, once each', async () => {
  expect(await put(acme, message('m1', 'Reading', { sensor: 'a', value: 31.5 }))).toEqual([])
  await app.jobs.drain()
  expect(await detector(acme, 'a')).toEqual({ stateName: 'Right', count: '1', last: '31.5' })
  const alarm = await acme.DescribeAlarm({ params: { alarmModelName: 'hot' }, query: { keyValue: 'a' } })
  expect(alarm.body.alarm).toMatchObject({ keyValue: 'a', severity: 3, alarmState: { stateName: 'ACTIVE' } })
})

test('messages of one sender are evaluated in order, within and across batches', async () => {
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

test('each invalid message gets an error; the others are stored', async () => {
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

test('a batch with a duplicate id, or without messages, is refused', async () => {
  const duplicates = [message('m', 'Reading', { sensor: 'c' }), message('m', 'Reading', { sensor: 'c' })]
  expect(await refusal(acme.BatchPutMessage({ body: { messages: duplicates } }))).toMatchObject({
    status: 400,
    body: { __type: 'InvalidRequestException' },
  })
  expect(await refusal(acme.BatchPutMessage({ body: { messages: [] } }))).toMatchObject({ status: 400 })
})

test('a whole decimal stays a decimal, and a text may contain anything', async () => {
  await put(acme, message('m', 'Reading', '{"sensor":"d","value":20.0}'))
  await app.jobs.drain()
  expect(await detector(acme, 'd')).toMatchObject({ last: '20.0' })
  await put(acme, message('m', 'Reading', { sensor: 'd', value: 'a\0b\ud800 \u001e' }))
  await app.jobs.drain()
  expect(await detector(acme, 'd')).toMatchObject({ count: '2', last: expect.stringContaining('b') })
})

test('another node sees a new input at once, and messages of many tenants share an insert', async () => {
  await using other = await start({}, { databaseUrl: app.databaseUrl })
  const tenants = await Promise.all(
    ['t1', 't2', 't3'].map(async (tenant) => ({
      first: await app.caller(tenant),
      second: await other.caller(tenant),
    })),
  )
  const reading = message('m', 'Reading', { sensor: 'x', value: 1 })
  for (const { second } of tenants)
    expect(await put(second, reading)).toMatchObject([{ errorCode: 'ResourceNotFoundException' }])
  for (const { first } of tenants) await createSwing(first)
  const errors = await Promise.all(tenants.flatMap(({ second }) => [put(second, reading), put(second, reading)]))
  expect(errors).toEqual([[], [], [], [], [], []])
  const { first, second } = tenants[0] as (typeof tenants)[0]
  await first.DeleteDetectorModel({ params: { detectorModelName: 'swing' } })
  await first.DeleteInput({ params: { inputName: 'Reading' } })
  expect(await put(second, reading)).toMatchObject([{ errorCode: 'ResourceNotFoundException' }])
  await app.jobs.drain()
  for (const tenant of tenants.slice(1)) expect(await detector(tenant.second, 'x')).toMatchObject({ count: '2' })
})

test('a model without a key has one detector', async () => {
  const calls = await app.caller('single')
  await calls.CreateInput({ body: readingInput })
  const { key: _, ...body } = swing
  await calls.CreateDetectorModel({ body })
  expect(await put(calls, message('1', 'Reading', { value: 1 }), message('2', 'Reading', { value: 2 }))).toEqual([])
  await app.jobs.drain()
  const params = { detectorModelName: 'swing' }
  const response = await calls.DescribeDetector({ params })
  expect(response.body.detector).not.toHaveProperty('keyValue')
  expect(response.body.detector.state.variables).toContainEqual({ name: 'count', value: '2' })
})

test('messages of an input that no model reads are accepted and discarded', async () => {
  const calls = await app.caller('silent')
  await calls.CreateInput({ body: readingInput })
  expect(await put(calls, message('1', 'Reading', { sensor: 'a' }))).toEqual([])
})

test('pending messages are written before a node stops, even without waiting callers', async () => {
  const evaluate = eventDetection().jobs?.find(({ name }) => name === 'evaluate') as Job<Evaluation>
  const { ingest, flush } = openIngestion(app.platform, evaluate, catalogs())
  const reading = (id: string) => message(id, 'Reading', { sensor: 'leaving', value: 1 })
  await ingest('acme', [reading('first')])
  for (let count = 0; count < 50; count++) void ingest('acme', [reading(`m${count}`)])
  await flush()
  const { waiting } = await app.platform.database.one<{ waiting: number }>(sql`
    select sum(messages)::int as waiting from event_detection.mailbox where tenant = 'acme'`)
  await app.jobs.drain()
  expect(waiting).toBeGreaterThanOrEqual(51)
  expect(await detector(acme, 'leaving')).toMatchObject({ count: '51' })
})
