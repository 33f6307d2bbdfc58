import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { StoredEntry } from '../journal/store.ts'
import { type Calls, type EventApp, message, roleArn, start } from '../testing/app.ts'
import { createSwing, doing, hotAlarm, swing } from '../testing/models.ts'
import { importModel } from './import-model.ts'
import { lineOf, tail } from './tail.ts'

let app: EventApp
let acme: Calls
/** Entries become visible after all earlier transactions, including those of other tests. */
const patience = { timeout: 20_000 }

beforeAll(async () => {
  app = await start()
  acme = await app.caller()
})
afterAll(() => app[Symbol.asyncDispose]())

const importFile = (file: unknown, tenant = 'acme') =>
  importModel(
    app.platform.database,
    { tenant, region: 'us-east-1', clock: app.platform.clock },
    typeof file === 'string' ? file : JSON.stringify(file),
  )

test.each(['motor-pressure', 'hvac', 'device-heartbeat', 'simple-alarm'])(
  'the example %s is imported with its inputs, and again as a new version',
  async (name) => {
    const text = await readFile(new URL(`../../examples/${name}/model.json`, import.meta.url), 'utf8')
    const first = await importFile(text, name)
    expect(first.at(-1)).toMatchObject({ kind: 'detector model', done: 'created' })
    expect(first.filter(({ kind }) => kind === 'input').length).toBeGreaterThan(0)
    expect(await importFile(text, name)).toMatchObject([{ kind: 'detector model', done: 'updated' }])
    const calls = await app.caller(name)
    const detectorModelName = first.at(-1)?.name ?? ''
    const { body } = await calls.DescribeDetectorModel({ params: { detectorModelName } })
    expect(body.detectorModel.detectorModelConfiguration.detectorModelVersion).toBe('2')
  },
)

test('a file is imported atomically', async () => {
  const inputs = [
    { inputName: 'Reading', inputDefinition: { attributes: [{ jsonPath: 'sensor' }, { jsonPath: 'value' }] } },
  ]
  const file = { inputs, detectorModels: [swing], alarmModels: [hotAlarm] }
  expect(await importFile(file, 'whole')).toEqual([
    { kind: 'input', name: 'Reading', done: 'created' },
    { kind: 'detector model', name: 'swing', done: 'created' },
    { kind: 'alarm model', name: 'hot', done: 'created' },
  ])
  const broken = { ...hotAlarm, alarmRule: {} }
  await expect(importFile({ ...file, alarmModels: [broken] }, 'none')).rejects.toThrow('simpleRule')
  const none = await app.caller('none')
  expect((await none.ListInputs({})).body.inputSummaries).toEqual([])
  await expect(importFile({ detectorModels: [{}] })).rejects.toThrow('detectorModels[0]/detectorModelName is required')
  await expect(importFile('{')).rejects.toThrow('The file is not JSON')
  await expect(importFile({})).rejects.toThrow('neither inputs')
})

test('tail shows recent entries and then every new one once', async () => {
  await createSwing(acme)
  await acme.CreateDetectorModel({ body: doing('teller', [{ sns: { targetArn: 'nowhere' } }]) })
  const send = async (sensor: string, count: number) => {
    const messages = Array.from({ length: count }, (_, n) => message(`m${n}`, 'Reading', { sensor, value: n }))
    await acme.BatchPutMessage({ body: { messages } })
    await app.jobs.drain()
  }
  await send('before', 1)
  const entries: StoredEntry[] = []
  const abort = new AbortController()
  const following = (async () => {
    for await (const entry of tail(app.platform.database, { tenant: 'acme', last: 20, signal: abort.signal }))
      entries.push(entry)
  })()
  await expect.poll(() => entries.length, patience).toBeGreaterThan(2)
  await Promise.all([send('a', 50), send('b', 50), send('c', 50)])
  const entriesOf = (key: string) => entries.filter((entry) => entry.key === key && entry.modelName === 'swing')
  await expect.poll(() => ['a', 'b', 'c'].map((key) => entriesOf(key).length), patience).toEqual([51, 51, 51])
  abort.abort()
  await following
  expect(new Set(entries.map(({ xact, number }) => `${xact} ${number}`)).size).toBe(entries.length)

  const line = (entry: StoredEntry | undefined) => (entry ? lineOf(entry).replace(/^\S+ {2}/, '') : '')
  expect(line(entriesOf('before')[0])).toBe('swing/before  starts in Left  (message m0)')
  expect(line(entriesOf('a')[1])).toBe('swing/a  Left -> Right  swung  (message m0)')
  expect(line(entries.find(({ kind }) => kind === 'failure'))).toBe(
    `teller/before  sns {"targetArn":"nowhere"} was not delivered: No address is configured for 'sns:nowhere': add it to the settings.`,
  )
})

test('undefined expressions are in the journal, depending on the logging options', async () => {
  const calls = await app.caller('logs')
  await createSwing(calls)
  const unset = doing('unset', [{ setVariable: { variableName: 'x', value: '$input.Reading.place.floor + 1' } }])
  await calls.CreateDetectorModel({ body: unset })
  const kinds = async (sensor: string) => {
    await calls.BatchPutMessage({ body: { messages: [message('m', 'Reading', { sensor, value: 1 })] } })
    await app.jobs.drain()
    const abort = new AbortController()
    const entries: string[] = []
    for await (const { key, kind, modelName } of tail(app.platform.database, {
      tenant: 'logs',
      last: 50,
      signal: abort.signal,
    })) {
      if (key === sensor && modelName === 'unset') entries.push(kind)
      if (entries.length > 0) setTimeout(() => abort.abort(), 50)
    }
    return entries.sort()
  }
  expect(await kinds('default')).toEqual(['error', 'transition'])
  const put = (more: object) =>
    calls.PutLoggingOptions({ body: { loggingOptions: { roleArn, level: 'ERROR', enabled: true, ...more } } })
  await put({ enabled: false })
  expect(await kinds('disabled')).toEqual(['transition'])
  await put({ level: 'DEBUG' })
  expect(await kinds('debug')).toEqual(['error', 'message', 'transition'])
  await put({ detectorDebugOptions: [{ detectorModelName: 'unset', keyValue: 'this' }] })
  expect(await kinds('that')).toEqual(['transition'])
  expect(await kinds('this')).toEqual(['error', 'transition'])
  expect((await calls.DescribeLoggingOptions({})).body.loggingOptions).toMatchObject({ level: 'ERROR', enabled: true })
})
