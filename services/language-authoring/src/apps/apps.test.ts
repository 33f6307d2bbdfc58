import { expect, test } from 'vitest'
import { callersOf, newApp, start, trainAndPublish } from '../testing/app.ts'

test('an app is created, read and changed, and invisible to other tenants', async () => {
  await using app = await start()
  const { apps } = await callersOf(app)
  const texts = { description: 'about trips', domain: 'Travel & Local', usageScenario: 'Bot' }
  const added = await apps.add({ body: { name: 'Travel', culture: 'de-de', ...texts, initialVersionId: '1.0' } })
  const params = { appId: added.body }
  const expected = {
    id: params.appId,
    name: 'Travel',
    culture: 'de-de',
    ...texts,
    activeVersion: '1.0',
    versionsCount: 1,
  }
  expect((await apps.get({ params })).body).toMatchObject({ ...expected, endpoints: {}, endpointHitsCount: 0 })
  await apps.update({ params, body: { name: 'Trips' } })
  expect((await apps.list({})).body).toMatchObject([{ ...expected, name: 'Trips' }])
  await expect(apps.add({ body: { name: 'Trips', culture: 'en-us' } })).rejects.toMatchObject({ status: 409 })
  await expect(apps.add({ body: { name: 'Other', culture: 'tlh' } })).rejects.toMatchObject({ status: 400 })
  const { apps: others } = await callersOf(app, 'another')
  expect((await others.list({})).body).toEqual([])
  await expect(others.get({ params })).rejects.toMatchObject({ status: 404 })
})

test('collaborators are listed, added and deleted one by one', async () => {
  await using app = await start()
  const calls = await callersOf(app)
  const params = await newApp(calls)
  await calls.permissions.add({ params, body: { email: 'ada@example.com' } })
  await calls.permissions.add({ params, body: { email: 'bob@example.com' } })
  await calls.permissions.delete({ params, body: { email: 'ada@example.com' } })
  expect((await calls.permissions.list({ params })).body).toEqual({ owner: 'acme', emails: ['bob@example.com'] })
})

test('a public app answers queries with keys of other tenants, who see nothing else of it', async () => {
  await using app = await start()
  const calls = await callersOf(app)
  const params = await newApp(calls)
  await calls.examples.add({ params, body: { text: 'hello', intentName: 'None' } })
  await trainAndPublish(app, calls, params)
  const others = await callersOf(app, 'another')
  const request = { params: { ...params, slotName: 'production' }, body: { query: 'hello' } }
  await expect(others.prediction.getSlotPrediction(request)).rejects.toMatchObject({ status: 404 })
  await calls.apps.updateSettings({ params, body: { public: true } })
  await expect
    .poll(async () => (await others.prediction.getSlotPrediction(request).catch((error) => error)).status, {
      timeout: 60_000,
    })
    .toBe(200)
  await expect(others.apps.get({ params })).rejects.toMatchObject({ status: 404 })
})

test('queries are counted, and logged if the caller allows it, for review and labelling', async () => {
  await using app = await start()
  const calls = await callersOf(app)
  const params = await newApp(calls)
  const { body: intentId } = await calls.intents.add({ params, body: { name: 'Greet' } })
  await calls.examples.batch({
    params,
    body: ['hello', 'hi', 'good day'].map((text) => ({ text, intentName: 'Greet' })),
  })
  await trainAndPublish(app, calls, params)
  const slot = { ...params, slotName: 'production' }
  await calls.prediction.getSlotPrediction({ params: slot, body: { query: 'secret' } })
  await calls.prediction.getSlotPrediction({ params: slot, query: { log: true }, body: { query: 'hello you' } })
  const hits = async () => (await calls.apps.get({ params })).body.endpointHitsCount
  await expect.poll(hits, { timeout: 60_000 }).toBe(2)
  const logged = async () => Buffer.from((await calls.apps.downloadQueryLogs({ params })).body).toString()
  await expect.poll(logged, { timeout: 60_000 }).toContain('"hello you"')
  expect(await logged()).not.toContain('secret')
  const suggestions = await calls.suggestions.ofIntent({ params: { ...params, intentId } })
  expect(suggestions.body).toMatchObject([{ text: 'hello you', tokenizedText: ['hello', 'you'] }])
  await calls.versions.deleteUnlabelledUtterance({ params, body: 'hello you' })
  expect((await calls.suggestions.ofIntent({ params: { ...params, intentId } })).body).toEqual([])
})
