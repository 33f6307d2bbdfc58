import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Calls, type EventApp, message, roleArn, start } from '../testing/app.ts'
import { transitionsOf } from '../testing/journal-store.ts'
import { createSwing } from '../testing/models.ts'
import { refusal } from '../testing/refusal.ts'

let app: EventApp
let acme: Calls
const detectorModelName = 'swing'
const params = { detectorModelName }

beforeAll(async () => {
  app = await start()
  acme = await app.caller()
  await createSwing(acme)
  await acme.CreateDetectorModel({ body: heartbeat })
})
afterAll(() => app[Symbol.asyncDispose]())

/** Becomes `Lost` after a minute without a message. */
const heartbeat = {
  detectorModelName: 'heartbeat',
  key: 'sensor',
  roleArn,
  detectorModelDefinition: {
    initialStateName: 'Heard',
    states: [
      {
        stateName: 'Heard',
        onEnter: { events: [{ eventName: 'wait', actions: [{ setTimer: { timerName: 'silence', seconds: 60 } }] }] },
        onInput: {
          events: [
            {
              eventName: 'again',
              condition: 'currentInput("Reading")',
              actions: [{ resetTimer: { timerName: 'silence' } }],
            },
          ],
          transitionEvents: [{ eventName: 'silent', condition: 'timeout("silence")', nextState: 'Lost', actions: [] }],
        },
      },
      {
        stateName: 'Lost',
        onInput: {
          transitionEvents: [
            { eventName: 'back', condition: 'currentInput("Reading")', nextState: 'Heard', actions: [] },
          ],
        },
      },
    ],
  },
}

const send = (sensor: string, value = 1) =>
  acme.BatchPutMessage({ body: { messages: [message('m', 'Reading', { sensor, value })] } })
async function sendReadings(...sensors: string[]): Promise<void> {
  for (const sensor of sensors) await send(sensor)
  await app.jobs.drain()
}
const detector = async (keyValue: string, name = detectorModelName) =>
  (await acme.DescribeDetector({ params: { detectorModelName: name }, query: { keyValue } })).body.detector
const stateOf = async (keyValue: string, name?: string) => (await detector(keyValue, name)).state.stateName

test('a timer fires at its time; a reset one fires later', async () => {
  const at = app.platform.clock.now().getTime() / 1000
  await sendReadings('beat')
  const { timers } = (await detector('beat', 'heartbeat')).state
  expect(timers).toEqual([{ name: 'silence', timestamp: expect.closeTo(at + 60, -1) }])
  await app.clock.advance(50_000)
  await sendReadings('beat')
  await app.clock.advance(50_000)
  await app.jobs.drain()
  expect(await stateOf('beat', 'heartbeat')).toBe('Heard')
  await app.clock.advance(10_000)
  await app.jobs.drain()
  expect(await stateOf('beat', 'heartbeat')).toBe('Lost')
  expect((await detector('beat', 'heartbeat')).state.timers).toEqual([])
})

test('an expired timer is evaluated before a later message, however late the evaluation', async () => {
  await sendReadings('late')
  await app.clock.advance(61_000)
  await send('late')
  await app.jobs.drain()
  expect(await stateOf('late', 'heartbeat')).toBe('Heard')
  expect(await transitionsOf(app.platform.database, 'late', 'heartbeat')).toEqual([
    'Heard',
    'Heard -> Lost by silence',
    'Lost -> Heard by m',
  ])
})

test('timers do not overtake earlier messages, however many are queued', async () => {
  const messages = Array.from({ length: 600 }, (_, n) => message(`m${n}`, 'Reading', { sensor: 'many', value: n }))
  for (let batch = 0; batch < 4; batch++) await acme.BatchPutMessage({ body: { messages } })
  await app.clock.advance(120_000)
  await app.jobs.drain()
  expect(await transitionsOf(app.platform.database, 'many', 'heartbeat')).toEqual(['Heard', 'Heard -> Lost by silence'])
})

test('BatchUpdateDetector replaces state, variables and timers', async () => {
  await sendReadings('set')
  const state = {
    stateName: 'Left',
    variables: [
      { name: 'count', value: '41' },
      { name: 'label', value: '"cold"' },
      { name: 'open', value: 'true' },
    ],
    timers: [{ name: 'soon', seconds: 30 }],
  }
  const { body } = await acme.BatchUpdateDetector({
    body: {
      detectors: [
        { messageId: '1', detectorModelName, keyValue: 'set', state },
        { messageId: '2', detectorModelName, keyValue: 'missing', state },
        { messageId: '3', detectorModelName, keyValue: 'set', state: { ...state, stateName: 'Nowhere' } },
      ],
    },
  })
  expect(body.batchUpdateDetectorErrorEntries).toMatchObject([
    { messageId: '2', errorCode: 'ResourceNotFoundException' },
    { messageId: '3', errorCode: 'InvalidRequestException', errorMessage: expect.stringContaining('Nowhere') },
  ])
  const now = app.platform.clock.now().getTime() / 1000
  expect((await detector('set')).state).toEqual({
    stateName: 'Left',
    variables: [
      { name: 'count', value: '41' },
      { name: 'label', value: '"cold"' },
      { name: 'open', value: 'true' },
    ],
    timers: [{ name: 'soon', timestamp: expect.closeTo(now + 30, -1) }],
  })
  await sendReadings('set')
  expect((await detector('set')).state).toMatchObject({
    stateName: 'Right',
    variables: expect.arrayContaining([{ name: 'count', value: '42' }]),
  })
})

test('a deleted detector is created again by the next message', async () => {
  await sendReadings('gone', 'gone', 'gone')
  const detectors = ['gone', 'missing'].map((keyValue) => ({ messageId: keyValue, detectorModelName, keyValue }))
  const { body } = await acme.BatchDeleteDetector({ body: { detectors } })
  expect(body.batchDeleteDetectorErrorEntries).toMatchObject([
    { messageId: 'missing', errorCode: 'ResourceNotFoundException' },
  ])
  expect(await refusal(acme.DescribeDetector({ params, query: { keyValue: 'gone' } }))).toMatchObject({ status: 404 })
  await sendReadings('gone')
  expect((await detector('gone')).state.variables).toContainEqual({ name: 'count', value: '1' })
})

test('detectors are listed with paging, optionally by state', async () => {
  const keys = Array.from({ length: 12 }, (_, number) => `list-${String(number).padStart(2, '0')}`)
  await sendReadings(...keys, ...keys.slice(0, 5))
  const pages = async (stateName?: string) => {
    const listed: string[] = []
    let nextToken: string | undefined
    do {
      const query = { maxResults: 4, ...(stateName && { stateName }), ...(nextToken && { nextToken }) }
      const { body } = await acme.ListDetectors({ params, query })
      expect(body.detectorSummaries.length).toBeLessThanOrEqual(4)
      listed.push(...body.detectorSummaries.map(({ keyValue }) => keyValue ?? ''))
      nextToken = body.nextToken
    } while (nextToken)
    return listed.filter((key) => key.startsWith('list-'))
  }
  expect(await pages()).toEqual(keys)
  expect(await pages('Left')).toEqual(keys.slice(0, 5))
  expect(await pages('Right')).toEqual(keys.slice(5))
  const { body } = await acme.ListDetectors({ params, query: { maxResults: 1 } })
  const mismatch = acme.ListDetectors({ params, query: { stateName: 'Left', nextToken: body.nextToken ?? '' } })
  expect(await refusal(mismatch)).toMatchObject({ status: 400 })
})

test('detectors are isolated from other tenants', async () => {
  await sendReadings('mine')
  const other = await app.caller('other')
  const query = { keyValue: 'mine' }
  const calls = [other.ListDetectors({ params }), other.DescribeDetector({ params, query })]
  for (const refused of await Promise.all(calls.map(refusal))) expect(refused).toMatchObject({ status: 404 })
  const request = { messageId: '1', detectorModelName, keyValue: 'mine' }
  const { body } = await other.BatchDeleteDetector({ body: { detectors: [request] } })
  expect(body.batchDeleteDetectorErrorEntries).toHaveLength(1)
  expect(await stateOf('mine')).toBe('Right')
})
