import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Callers, callersOf, fileOf, start } from '../testing/app.ts'
import { generatedApp } from '../testing/documents.ts'

let app: Awaited<ReturnType<typeof start>>
let calls: Callers
let at: { appId: string; versionId: string }
let count = 0

beforeAll(async () => {
  app = await start()
  calls = await callersOf(app)
}, 60_000)
afterAll(() => app[Symbol.asyncDispose]())

beforeEach(async () => {
  const { body: appId } = await calls.apps.import({
    query: { appName: `App ${++count}` },
    body: fileOf(generatedApp(1)),
  })
  at = { appId, versionId: '0.1' }
})

const exported = async () =>
  (await calls.versions.export({ params: at })).body as ReturnType<typeof generatedApp> & Record<string, never>
const idOf = async (name: string) =>
  (await calls.models.list({ params: at, query: { take: 500 } })).body.find((model) => model.name === name)?.id ?? ''

test('intents: add, update, delete; utterances move to None, or are deleted', async () => {
  const { body: intentId } = await calls.intents.add({ params: at, body: { name: 'Cancel' } })
  await calls.intents.update({ params: { ...at, intentId }, body: { name: 'Stop' } })
  expect((await calls.intents.get({ params: { ...at, intentId } })).body).toEqual({
    id: intentId,
    name: 'Stop',
    typeId: 0,
    readableType: 'Intent Classifier',
  })
  await calls.examples.add({ params: at, body: { text: 'stop it', intentName: 'Stop' } })
  await calls.intents.delete({ params: { ...at, intentId } })
  expect((await exported()).utterances).toContainEqual({ text: 'stop it', intent: 'None', entities: [] })
  const book = await idOf('Book')
  await calls.intents.delete({ params: { ...at, intentId: book }, query: { deleteUtterances: true } })
  const after = await exported()
  expect(after.utterances.filter(({ text }) => text.includes('book'))).toEqual([])
  expect(after.patterns).toEqual([])
  await expect(calls.intents.delete({ params: { ...at, intentId: await idOf('None') } })).rejects.toMatchObject({
    status: 400,
  })
})

test('entities with children: add, update, addChild, delete with their labels', async () => {
  const { body: entityId } = await calls.entities.add({
    params: at,
    body: {
      name: 'Meal',
      children: [
        { name: 'Dish', children: [{ name: 'Side' }] },
        { name: 'Where', instanceOf: 'Place' },
      ],
    },
  })
  const params = { ...at, entityId }
  await calls.entities.addChild({ params, body: { name: 'Drink', instanceOf: 'number', children: [{ name: 'Ice' }] } })
  await calls.entities.update({ params, body: { name: 'Dinner' } })
  const { body: entity } = await calls.entities.get({ params })
  expect(entity).toMatchObject({
    name: 'Dinner',
    children: [
      { name: 'Dish', children: [{ name: 'Side' }] },
      { name: 'Where', instanceOf: 'Place' },
      { name: 'Drink', instanceOf: 'number', children: [{ name: 'Ice' }] },
    ],
  })
  const where = entity.children[1]?.id ?? ''
  await calls.entities.update({ params: { ...at, entityId: where }, body: { name: 'Spot', instanceOf: 'Person' } })
  expect((await calls.entities.get({ params: { ...at, entityId: where } })).body).toMatchObject({
    name: 'Spot',
    instanceOf: 'Person',
  })
  const trip = await idOf('Trip')
  const target = (await calls.entities.get({ params: { ...at, entityId: trip } })).body.children[0]?.id ?? ''
  await calls.entities.delete({ params: { ...at, entityId: target } })
  const labels = (await exported()).utterances.flatMap(({ entities }) => entities)
  expect(labels).toContainEqual({ entity: 'Trip', startPos: 7, endPos: expect.any(Number) })
  expect(JSON.stringify(labels)).not.toContain('Target')
  await calls.entities.delete({ params: { ...at, entityId: trip } })
  expect(JSON.stringify(await exported())).not.toContain('Trip')
})

test('a part of another entity cannot be deleted, and is renamed in it', async () => {
  const person = await idOf('Person')
  await expect(calls.entities.delete({ params: { ...at, entityId: person } })).rejects.toMatchObject({ status: 409 })
  await calls.entities.update({ params: { ...at, entityId: person }, body: { name: 'Human' } })
  const clEntityId = await idOf('Place')
  const place = await calls.lists.get({ params: { ...at, clEntityId } })
  await calls.lists.update({ params: { ...at, clEntityId }, body: { name: 'Town', subLists: place.body.subLists } })
  const after = await exported()
  expect(after.composites).toMatchObject([{ children: [{ name: 'Human' }, { name: 'number' }] }])
  expect(after.patterns).toContainEqual({ pattern: 'to {Town:there} on {datetimeV2:leaving}', intent: 'Book' })
  expect(after.entities).toMatchObject([
    {},
    { children: [{ instanceOf: 'Town', features: [{ modelName: 'Town' }] }, {}] },
  ])
  await expect(calls.lists.delete({ params: { ...at, clEntityId } })).rejects.toMatchObject({ status: 409 })
})

test("lists: the specification's words are the sublists, and errors use that name", async () => {
  const words = [{ canonicalForm: 'Oak', list: ['acorn'] }]
  const add = (body: object) => calls.lists.add({ params: at, body: body as never })
  const { body: clEntityId } = await add({ name: 'Tree', words })
  const { subLists } = (await calls.lists.get({ params: { ...at, clEntityId } })).body
  expect(subLists).toEqual([{ id: expect.any(Number), ...words[0] }])
  for (const wrong of ['a,b', ['a'], [{ list: ['a'] }], [{ canonicalForm: 'a', list: 'b' }], 7])
    await expect(add({ name: 'Wrong', words: wrong })).rejects.toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining('body/words') } },
    })
})

test('lists: add, patch, addSubList, updateSubList, delete', async () => {
  const { body: clEntityId } = await calls.lists.add({
    params: at,
    body: { name: 'Colour', subLists: [{ canonicalForm: 'Red', list: ['pink'] }] },
  })
  const params = { ...at, clEntityId }
  await calls.lists.patch({ params, body: { subLists: [{ canonicalForm: 'Blue' }] } })
  const { body: subListId } = await calls.lists.addSubList({ params, body: { canonicalForm: 'Green', list: ['lime'] } })
  const itemParams = { ...params, subListId: String(subListId) }
  await calls.lists.updateSubList({ params: itemParams, body: { list: ['lime', 'olive'] } })
  const names = async () =>
    (await calls.lists.get({ params })).body.subLists.map(({ canonicalForm, list }) => [canonicalForm, list])
  expect(await names()).toEqual([
    ['Red', ['pink']],
    ['Blue', []],
    ['Green', ['lime', 'olive']],
  ])
  await expect(calls.lists.addSubList({ params, body: { canonicalForm: 'Red' } })).rejects.toMatchObject({
    status: 409,
  })
  await calls.lists.deleteSubList({ params: itemParams })
  expect(await names()).toEqual([
    ['Red', ['pink']],
    ['Blue', []],
  ])
  await calls.lists.delete({ params })
  await expect(calls.lists.get({ params })).rejects.toMatchObject({ status: 404 })
})

test('composites and hierarchical entities: update, addChild, updateChild, delete', async () => {
  const params = { ...at, cEntityId: await idOf('Order') }
  const { body: cChildId } = await calls.composites.addChild({ params, body: { name: 'Flight' } })
  await calls.composites.update({ params, body: { name: 'Purchase', children: ['Flight', 'Person'] } })
  const { body } = await calls.composites.get({ params })
  expect(body).toMatchObject({ name: 'Purchase', children: [{ name: 'Flight', id: cChildId }, { name: 'Person' }] })
  await calls.composites.deleteChild({ params: { ...params, cChildId } })
  await expect(calls.composites.addChild({ params, body: { name: 'Nobody' } })).rejects.toMatchObject({ status: 400 })
  const hParams = { ...at, hEntityId: await idOf('Way') }
  const hChildId = (await calls.hierarchicals.get({ params: hParams })).body.children[1]?.id ?? ''
  await calls.hierarchicals.updateChild({ params: { ...hParams, hChildId }, body: { name: 'Towards' } })
  expect(JSON.stringify((await exported()).utterances)).toContain('Way::Towards')
  await calls.hierarchicals.deleteChild({ params: { ...hParams, hChildId } })
  expect(JSON.stringify((await exported()).utterances)).not.toContain('Way::')
})

test('pattern.any and regex entities: create, update, updateExplicitListItem', async () => {
  const { body: patternAnyId } = await calls.patternAny.create({
    params: at,
    body: { name: 'Song', explicitList: ['Help'] },
  })
  const params = { ...at, patternAnyId }
  const { body: item } = await calls.patternAny.addExplicitListItem({ params, body: { explicitListItem: 'Let it be' } })
  const itemParams = { ...params, itemId: String(item) }
  await calls.patternAny.updateExplicitListItem({ params: itemParams, body: { explicitListItem: 'Yesterday' } })
  expect((await calls.patternAny.getExplicitListItem({ params: itemParams })).body).toEqual({
    id: item,
    explicitListItem: 'Yesterday',
  })
  await calls.patternAny.update({ params, body: { explicitList: ['Michelle'] } })
  expect((await calls.patternAny.get({ params })).body.explicitList).toMatchObject([{ explicitListItem: 'Michelle' }])
  const { body: regexEntityId } = await calls.regexes.create({
    params: at,
    body: { name: 'Zip', regexPattern: '[0-9]{5}' },
  })
  await calls.regexes.update({ params: { ...at, regexEntityId }, body: { regexPattern: '[0-9]{4}' } })
  expect((await calls.regexes.get({ params: { ...at, regexEntityId } })).body).toMatchObject({
    name: 'Zip',
    regexPattern: '[0-9]{4}',
  })
  for (const regexPattern of ['(', '(?=a)b', '(a)\\1', 'a{1001}{1001}'])
    await expect(calls.regexes.create({ params: at, body: { name: 'Bad', regexPattern } })).rejects.toMatchObject({
      status: 400,
    })
})

test('models copied from a domain of the original are listed and deleted by domain; adding one is not supported', async () => {
  const document = generatedApp(2)
  const inherits = { domain_name: 'Calendar', model_name: 'Subject' }
  const entities = [
    ...(document.entities as object[]),
    { name: 'Subject', roles: [], children: [], features: [], inherits },
  ]
  const { body: appId } = await calls.apps.import({
    query: { appName: 'Copied' },
    body: fileOf({ ...document, entities }),
  })
  const params = { appId, versionId: '0.2' }
  expect((await calls.domains.listModels({ params })).body).toMatchObject([
    { name: 'Subject', customPrebuiltDomainName: 'Calendar', customPrebuiltModelName: 'Subject' },
  ])
  await calls.domains.delete({ params: { ...params, domainName: 'Calendar' } })
  expect((await calls.domains.listEntities({ params })).body).toEqual([])
  for (const call of [
    () => calls.domains.add({ params, body: { domainName: 'Calendar' } }),
    () => calls.domains.addApp({ body: { domainName: 'Calendar', culture: 'en-us' } }),
    () => calls.domains.addIntent({ params, body: { domainName: 'Calendar', modelName: 'Add' } }),
    () => calls.domains.addEntity({ params, body: { domainName: 'Calendar', modelName: 'Subject' } }),
  ])
    await expect(call()).rejects.toMatchObject({ status: 501 })
})

test.each(['personName', 'geographyV2', 'keyPhrase'])(
  '%s needs lists that are not available, and is refused',
  async (name) => {
    await expect(calls.prebuilts.add({ params: at, body: ['email', name] })).rejects.toMatchObject({
      status: 501,
      body: {
        error: { message: expect.stringMatching(new RegExp(`${name} is not supported.*may not be redistributed`)) },
      },
    })
    const { body: available } = await calls.prebuilts.listAvailable({ params: at })
    expect(available.map((prebuilt) => prebuilt.name)).not.toContain(name)
  },
)
