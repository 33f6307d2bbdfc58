import { afterAll, beforeAll, expect, test } from 'vitest'
import { at, type FunctionsApp, startFunctions, type Tenant } from '../testing/app.ts'

let app: FunctionsApp
let acme: Tenant
beforeAll(async () => {
  app = await startFunctions()
  acme = await app.tenant()
})
afterAll(() => app[Symbol.asyncDispose]())

const channel = 'projects/shop/locations/europe-north1/channels/orders'
const params = { project: 'shop', location: 'europe-north1', channel: 'orders' }
const event = (id: string, more: object = {}) => ({
  ...{ id, source: '/shop', specVersion: '1.0', type: 'shop.order.paid', textData: JSON.stringify({ id }) },
  ...more,
})
const withAttributes = (attributes: Readonly<Record<string, string>>) => ({
  attributes: Object.fromEntries(Object.entries(attributes).map(([name, ceString]) => [name, { ceString }])),
})
const printed = async (name: string) =>
  (await acme.listLogs({ params: at(name), query: { pageSize: 1000 } })).body.lines.flatMap(({ stream, text }) =>
    stream === 'stdout' ? text : [],
  )
const patience = { timeout: 20_000, interval: 100 }

test('functions receive the events of their channel and type, by filters of any attribute, in order of their key', async () => {
  const eventFilters = [{ attribute: 'shop', value: 'north-*', operator: 'match-path-pattern' }]
  const body = { eventTrigger: { eventType: 'shop.order.paid', channel, eventFilters } }
  const code = {
    'index.js': "exports.hello = (event) => console.log('order', event.id, event.source, event.shop, event.data.id)\n",
  }
  expect((await acme.deploy('paid', code, { body })).error).toBeUndefined()
  expect((await acme.getFunction({ params: at('paid') })).body.eventTrigger).toMatchObject({ channel, eventFilters })
  const north = withAttributes({ shop: 'north-1', partitionkey: 'ada' })
  const events = [
    ...['1', '2', '2', '3'].map((id) => event(id, north)), // ids of publishers may repeat
    event('south', withAttributes({ shop: 'south' })),
    event('other type', { ...north, type: 'shop.order.sent' }),
    event('none'),
  ]
  await acme.publishEvents({ params, body: { events } })
  await acme.publishEvents({ params: { ...params, channel: 'returns' }, body: { events: [event('other', north)] } })
  await app.jobs.drain()
  const lines = ['1', '2', '2', '3'].map((id) => `order ${id} /shop north-1 ${id}`)
  await expect.poll(() => printed('paid'), patience).toEqual(lines)
})

test('many large events with repeated ids are stored once each', async () => {
  const body = { eventTrigger: { eventType: 'shop.order.large', channel } }
  const code = { 'index.js': "exports.hello = (event) => console.log('length', event.data.text.length)\n" }
  for (const name of ['large-one', 'large-two', 'large-three'])
    expect((await acme.deploy(name, code, { body })).error).toBeUndefined()
  const large = event('same', { type: 'shop.order.large', textData: JSON.stringify({ text: 'x'.repeat(400_000) }) })
  await acme.publishEvents({ params, body: { events: [large, large] } })
  await app.jobs.drain()
  for (const name of ['large-one', 'large-two', 'large-three'])
    await expect.poll(() => printed(name), patience).toEqual(['length 400000', 'length 400000'])
})

test('invalid events, and channels of others, are refused', async () => {
  const refused = (more: object) => acme.publishEvents({ params, body: { events: [event('1', more)] } })
  for (const textData of ['{', 'null', '"text"', ''])
    await expect(refused({ textData })).rejects.toMatchObject({ status: 400 })
  await expect(refused(withAttributes({ 'with-hyphen': 'a' }))).rejects.toMatchObject({ status: 400 })
  await expect(refused(withAttributes({ type: 'icosa.resource.v1.created' }))).rejects.toMatchObject({ status: 400 })
  const other = await app.tenant('other')
  await expect(other.publishEvents({ params, body: { events: [event('1')] } })).rejects.toMatchObject({ status: 404 })
})
