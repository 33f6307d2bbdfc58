import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Callers, callersOf, fileOf, newApp, start, trainAndPublish } from '../testing/app.ts'
import { generatedApp } from '../testing/documents.ts'

let app: Awaited<ReturnType<typeof start>>
let calls: Callers

beforeAll(async () => {
  app = await start({ modelsMb: 16, predictors: 2 })
  calls = await callersOf(app)
}, 60_000)
afterAll(() => app[Symbol.asyncDispose]())

const slot = (appId: string) => ({ appId, slotName: 'production' })

test('a prediction in both API versions: the best intent or all, entities with and without positions', async () => {
  const { body: appId } = await calls.apps.import({ body: fileOf({ ...generatedApp(2), versionId: '0.1' }) })
  await trainAndPublish(app, calls, { appId, versionId: '0.1' })
  const query = 'book a trip by car to Oslo at 7'
  const brief = await calls.prediction.getSlotPrediction({ params: slot(appId), body: { query } })
  expect(brief.body).toMatchObject({
    query,
    prediction: { topIntent: 'Book', entities: { Trip: [{ Target: [['Oslo']] }], number: [7] } },
  })
  expect(Object.keys(brief.body.prediction.intents)).toEqual(['Book'])
  expect(brief.body.prediction.entities).not.toHaveProperty('$instance')
  const whole = await calls.prediction.getSlotPredictionGET({
    params: slot(appId),
    query: { query, verbose: true, 'show-all-intents': true },
  })
  expect(Object.keys(whole.body.prediction.intents)).toHaveLength(6)
  expect(whole.body.prediction.entities).toMatchObject({
    Trip: [{ $instance: { Target: [{ type: 'Place', text: 'Oslo', modelType: 'Entity Extractor' }] } }],
    $instance: {
      number: [
        {
          type: 'builtin.number',
          text: '7',
          startIndex: 30,
          length: 1,
          modelType: 'Prebuilt Entity Extractor',
          recognitionSources: ['model'],
        },
      ],
    },
  })
  const older = await calls.older.resolveGET({ params: { appId }, query: { q: query, verbose: true } })
  expect(older.body).toMatchObject({ query, topScoringIntent: { intent: 'Book' } })
  expect(older.body.intents).toHaveLength(6)
  expect(older.body.entities).toContainEqual(
    expect.objectContaining({
      type: 'Place',
      entity: 'oslo',
      startIndex: 22,
      endIndex: 25,
      resolution: { values: ['Oslo'] },
    }),
  )
  const posted = await calls.older.resolve({
    params: { appId },
    body: { mediaType: 'application/json', content: Buffer.from(JSON.stringify(query)) },
  })
  expect(posted.body.topScoringIntent.intent).toBe('Book')
  const extended = await calls.prediction.getSlotPrediction({
    params: slot(appId),
    query: { verbose: true },
    body: {
      query: 'a trip to Atlantis with Eve',
      dynamicLists: [{ listEntityName: 'Place', requestLists: [{ canonicalForm: 'Sunken', synonyms: ['Atlantis'] }] }],
      externalEntities: [{ entityName: 'Person', startIndex: 24, entityLength: 3, resolution: { first: true } }],
    },
  })
  expect(extended.body.prediction.entities).toMatchObject({
    Trip: [{ Target: [['Sunken']] }],
    Person: [{ first: true }],
  })
  const dated = await calls.prediction.getSlotPrediction({
    params: slot(appId),
    body: { query: 'tomorrow', options: { datetimeReference: '2026-02-27T10:00:00' } },
  })
  expect(JSON.stringify(dated.body.prediction.entities)).toContain('2026-02-28')
}, 300_000)

test('a key can be in the query, and an unpublished slot returns 404', async () => {
  const at = await newApp(calls, 'Keyed')
  const key = await app.key('acme')
  const url = `${app.url}/luis/prediction/v3.0/apps/${at.appId}/slots/production/predict?query=x`
  expect((await fetch(url)).status).toBe(401)
  expect((await fetch(`${url}&subscription-key=${key}`)).status).toBe(404)
  const wrong = {
    params: slot(at.appId),
    body: { query: 'x', externalEntities: [{ entityName: 'A', startIndex: 1, entityLength: 1 }] },
  }
  await expect(calls.prediction.getSlotPrediction(wrong)).rejects.toMatchObject({ status: 400 })
})

test('no query fails while another version is published, and the replaced model is deleted', async () => {
  const at = await newApp(calls, 'Swapped')
  await calls.examples.add({ params: at, body: { text: 'hello', intentName: 'None' } })
  await trainAndPublish(app, calls, at)
  let isOver = false
  let queries = 0
  const client = (async () => {
    while (!isOver) {
      await calls.prediction.getSlotPrediction({ params: slot(at.appId), body: { query: `hello ${queries++}` } })
    }
  })()
  for (const name of ['Greet', 'Leave', 'Stay']) {
    await calls.intents.add({ params: at, body: { name } })
    await calls.examples.add({ params: at, body: { text: `please ${name}`, intentName: name } })
    await trainAndPublish(app, calls, at)
    await app.clock.move({ byMs: 120_000 })
    await app.jobs.drain()
  }
  const predict = () =>
    calls.prediction.getSlotPrediction({
      params: slot(at.appId),
      query: { 'show-all-intents': true },
      body: { query: 'stay' },
    })
  await expect
    .poll(async () => Object.keys((await predict()).body.prediction.intents).length, { timeout: 60_000 })
    .toBe(4)
  isOver = true
  await client
  expect(queries).toBeGreaterThan(0)
  await expect
    .poll(
      async () => {
        await app.clock.move({ byMs: 120_000 })
        await app.jobs.drain()
        return (await app.platform.blobs.list(`language-authoring/acme/models/${at.appId}/`, { limit: 10 })).items
          .length
      },
      { timeout: 60_000 },
    )
    .toBe(1)
}, 300_000)

test('a training is cancelled when its version is deleted, and leaves nothing behind', async () => {
  const document = generatedApp(3)
  const utterances = Array.from({ length: 3_000 }, (_, i) => ({
    text: `book number ${i} of ${i % 7} for ${i % 13}`,
    intent: 'Book',
    entities: [],
  }))
  const { body: appId } = await calls.apps.import({
    query: { appName: 'Large' },
    body: fileOf({ ...document, utterances }),
  })
  const at = { appId, versionId: '0.3' }
  await calls.training.trainVersion({ params: at })
  const draining = app.jobs.drain()
  await expect
    .poll(async () => (await calls.training.getStatus({ params: at })).body[0]?.details.status, { timeout: 60_000 })
    .toBe('InProgress')
  await calls.apps.delete({ params: at })
  await draining
  await app.jobs.drain()
  expect((await app.platform.blobs.list(`language-authoring/acme/models/${appId}/`, { limit: 10 })).items).toEqual([])
}, 300_000)
