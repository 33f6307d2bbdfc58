import { raw, sql } from '@icosa/kernel'
import { expect, test } from 'vitest'
import { callersOf, newApp, start, trainAndPublish } from '../testing/app.ts'

test('an app is authored, trained, published and queried', async () => {
  await using app = await start()
  const calls = await callersOf(app)
  const at = await newApp(calls)
  const { body: intentId } = await calls.intents.add({ params: at, body: { name: 'Book' } })
  await calls.entities.add({ params: at, body: { name: 'City' } })
  const added = await calls.examples.add({
    params: at,
    body: {
      text: 'book a flight to Rome',
      intentName: 'Book',
      entityLabels: [{ entityName: 'City', startCharIndex: 17, endCharIndex: 20 }],
    },
  })
  expect(added.body).toEqual({ UtteranceText: 'book a flight to Rome', ExampleId: 1 })
  expect((await calls.versions.get({ params: at })).body).toMatchObject({
    version: '0.1',
    intentsCount: 2,
    entitiesCount: 1,
    trainingStatus: 'NeedsTraining',
  })
  expect((await calls.training.trainVersion({ params: at })).body).toEqual({ statusId: 9, status: 'Queued' })
  await app.jobs.drain()
  expect((await calls.training.getStatus({ params: at })).body).toContainEqual({
    modelId: intentId,
    details: { statusId: 2, status: 'UpToDate', exampleCount: 1, trainingDateTime: expect.any(String) },
  })
  await trainAndPublish(app, calls, at)
  const { body } = await calls.prediction.getSlotPrediction({
    params: { ...at, slotName: 'production' },
    body: { query: 'a flight to Oslo' },
  })
  expect(body).toMatchObject({ query: 'a flight to Oslo', prediction: { topIntent: expect.any(String) } })
  const version = await calls.versions.get({ params: at })
  expect(version.body).toMatchObject({ trainingStatus: 'Trained', endpointUrl: expect.stringContaining(at.appId) })
})

test('versions are listed, renamed, copied and deleted; a published one cannot be deleted', async () => {
  await using app = await start()
  const calls = await callersOf(app)
  const at = await newApp(calls)
  await calls.examples.add({ params: at, body: { text: 'hello', intentName: 'None' } })
  await calls.versions.clone({ params: at, body: { version: '0.2' } })
  await calls.versions.update({ params: at, body: { version: 'first' } })
  expect((await calls.versions.list({ params: at })).body.map(({ version }) => version)).toEqual(['first', '0.2'])
  await expect(
    calls.versions.update({ params: { ...at, versionId: '0.2' }, body: { version: 'first' } }),
  ).rejects.toMatchObject({ status: 409 })
  const second = { ...at, versionId: '0.2' }
  await trainAndPublish(app, calls, second)
  const refused = (message: string) => ({ status: 409, body: { error: { message } } })
  const published = "The version '0.2' is used by an endpoint. Publish another one first."
  await expect(calls.versions.delete({ params: second })).rejects.toMatchObject(refused(published))
  await calls.versions.delete({ params: { ...at, versionId: 'first' } })
  await app.jobs.drain()
  const remaining = await app.platform.database.many(sql`select distinct version from language_authoring.utterances`)
  expect(remaining).toHaveLength(1)
  expect((await calls.examples.list({ params: second })).body).toMatchObject([{ text: 'hello', intentLabel: 'None' }])
  const used = "The app 'Travel' is used by its endpoints. Delete it with force=true."
  await expect(calls.apps.delete({ params: at })).rejects.toMatchObject(refused(used))
  await calls.apps.delete({ params: at, query: { force: true } })
  await app.jobs.drain()
  for (const table of ['apps', 'versions', 'utterances', 'slots', 'query_logs'])
    expect(await app.platform.database.many(sql`select 1 from ${raw(`language_authoring.${table}`)}`)).toEqual([])
  const blobs = await app.platform.blobs.list('language-authoring/', { limit: 10 })
  expect(blobs.items).toEqual([])
})

test('copies of a version train to the same bytes', async () => {
  await using app = await start()
  const calls = await callersOf(app)
  const at = await newApp(calls)
  await calls.intents.add({ params: at, body: { name: 'Greet' } })
  const examples = ['hello', 'good day', 'hi there'].map((text) => ({ text, intentName: 'Greet' }))
  await calls.examples.batch({ params: at, body: examples })
  await calls.versions.clone({ params: at, body: { version: 'copy' } })
  const copy = { ...at, versionId: 'copy' }
  for (const params of [at, copy]) await calls.training.trainVersion({ params })
  await app.jobs.drain()
  const models = await app.platform.database.many<{ model: string }>(sql`select model from language_authoring.versions`)
  expect(models).toHaveLength(2)
  expect(new Set(models.map(({ model }) => model.slice(-64))).size).toBe(1)
  expect((await calls.training.trainVersion({ params: at })).body).toEqual({ statusId: 2, status: 'UpToDate' })
})
