import { LUISAuthoringClient, type LUISAuthoringModels } from '@azure/cognitiveservices-luis-authoring'
import { LUISRuntimeClient } from '@azure/cognitiveservices-luis-runtime'
import { ApiKeyCredentials } from '@azure/ms-rest-js'
import { operationsOfApi } from '@icosa/kernel'
import { defaultSettings, languageAuthoring } from '@icosa/language-authoring'
import { generatedApp } from '@icosa/language-authoring/testing/documents'
import { createLog } from '@icosa/telemetry'
import { startTestApp, type TestApp } from '@icosa/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'

let app: TestApp
let client: LUISAuthoringClient
let runtime: LUISRuntimeClient
const service = languageAuthoring({ ...defaultSettings, predictors: 1 })
const called = new Set<string>()
const success = { code: 'Success', message: 'Operation Successful' }
const v = '0.1'

/** App file with models of all kinds, one of them copied from a domain. */
const document = () => {
  const inherits = { domainName: 'Calendar', modelName: 'Subject' } // in the client's spelling
  const generated = generatedApp(1)
  const copied = { name: 'Subject', roles: [], children: [], features: [], inherits }
  return { ...generated, entities: [...(generated.entities as object[]), copied], versionId: v }
}

beforeAll(async () => {
  // One log line per request, with the name of its operation.
  const write = (line: string) => void called.add(/"operation":"[^"]*?(\w+)"/.exec(line)?.[1] ?? '')
  app = await startTestApp({ services: [service], log: createLog({ level: 'info', destination: { write } }) })
  const credentials = new ApiKeyCredentials({ inHeader: { 'Ocp-Apim-Subscription-Key': await app.key('acme') } })
  client = new LUISAuthoringClient(credentials as never, app.url)
  runtime = new LUISRuntimeClient(credentials as never, app.url)
}, 120_000)
afterAll(() => app[Symbol.asyncDispose]())

const imported = async (appName: string) =>
  (await client.apps.importMethod(document() as never, { appName })).body as string
const idOf = async (appId: string, name: string) =>
  (await client.model.listModels(appId, v, { take: 500 })).find((model) => model.name === name)?.id ?? ''

test('an app is created, authored, trained, published and queried', async () => {
  const { body: appId } = await client.apps.add({ name: 'Travel', culture: 'en-us', initialVersionId: v })
  const { body: intentId } = await client.model.addIntent(appId, v, { name: 'Book' })
  const { body: entityId } = await client.model.addEntity(appId, v, { name: 'Trip', children: [{ name: 'Target' }] })
  await client.model.addPrebuilt(appId, v, ['number'])
  await client.model.addClosedList(appId, v, { name: 'Size', subLists: [{ canonicalForm: 'big', list: ['large'] }] })
  const { body: list } = await client.features.addPhraseList(appId, v, { name: 'moves', phrases: 'fly,sail' })
  expect(list).toBe(2)
  expect(await client.features.addIntentFeature(appId, v, intentId, { featureName: 'moves' })).toMatchObject(success)
  const label = (text: string, word: string) => ({
    entityName: 'Trip',
    startCharIndex: text.indexOf(word),
    endCharIndex: text.indexOf(word) + word.length - 1,
    children: [],
  })
  const places = ['Rome', 'Oslo', 'Lima', 'Quito', 'Cairo']
  const examples = places.map((place) => {
    const text = `book a trip to ${place}`
    return { text, intentName: 'Book', entityLabels: [label(text, place)] }
  })
  const batch = await client.examples.batch(appId, v, examples)
  expect(batch.every(({ hasError }) => hasError === false)).toBe(true)
  const bad = await client.examples.batch(appId, v, [{ text: 'x', intentName: 'Nobody' }])
  expect(bad[0]).toMatchObject({ hasError: true, error: { message: expect.stringContaining('Nobody') } })
  await client.examples.add(appId, v, { text: 'what is this', intentName: 'None' })

  expect(await client.train.trainVersion(appId, v)).toMatchObject({ statusId: 9, status: 'Queued' })
  await app.jobs.drain()
  const [status] = await client.train.getStatus(appId, v)
  expect(status?.details).toMatchObject({ status: 'UpToDate', trainingDateTime: expect.any(Date) })
  const published = await client.apps.publish(appId, { versionId: v, isStaging: false })
  expect(published.endpointUrl).toContain(`/luis/prediction/v3.0/apps/${appId}/slots/production/predict`)

  const request = { query: 'please book a trip to Quito' }
  const answer = await runtime.prediction.getSlotPrediction(appId, 'Production', request, { verbose: true, log: true })
  expect(answer.prediction.topIntent).toBe('Book')
  expect(answer.prediction.entities).toMatchObject({ Trip: ['Quito'] })
  const byVersion = await runtime.prediction.getVersionPrediction(
    appId,
    v,
    { query: 'for 2 of us' },
    { showAllIntents: true },
  )
  expect(byVersion.prediction.entities).toMatchObject({ number: [2] })
  expect(Object.keys(byVersion.prediction.intents).toSorted()).toEqual(['Book', 'None'])

  const listed = await client.examples.list(appId, v)
  expect(listed[0]).toMatchObject({
    text: 'book a trip to Rome',
    intentLabel: 'Book',
    tokenizedText: ['book', 'a', 'trip', 'to', 'rome'],
  })
  await expect.poll(async () => (await client.apps.get(appId)).endpointHitsCount, { timeout: 60_000 }).toBe(2)
  await client.apps.downloadQueryLogs(appId)
  await expect
    .poll(async () => (await client.model.listIntentSuggestions(appId, v, intentId)).length, { timeout: 60_000 })
    .toBe(1)
  await client.model.listEntitySuggestions(appId, v, entityId)
  await client.versions.deleteUnlabelledUtterance(appId, v, request.query)
  expect(await client.model.examplesMethod(appId, v, intentId)).toHaveLength(5)
  await client.examples.deleteMethod(appId, v, listed[0]?.id ?? 0)
}, 120_000)

test("the original's quickstart predicts child entities with the entities they are instances of", async () => {
  const { body: appId } = await client.apps.add({ name: 'Pizzas', culture: 'en-us', initialVersionId: v })
  await client.model.addIntent(appId, v, { name: 'OrderPizzaIntent' })
  await client.model.addPrebuilt(appId, v, ['number'])
  const parts = [
    { name: 'Pizza', children: [{ name: 'Quantity' }, { name: 'Type' }, { name: 'Size' }] },
    { name: 'Toppings', children: [{ name: 'Type' }, { name: 'Quantity' }] },
  ]
  const { body: order } = await client.model.addEntity(appId, v, { name: 'Pizza order', children: parts })
  const list = { name: 'QuantityPhraselist', phrases: 'few,more,extra', isExchangeable: true }
  await client.features.addPhraseList(appId, v, { ...list, enabledForAllModels: false })
  const { children = [] } = await client.model.getEntity(appId, v, order)
  const quantityOf = (part: string) =>
    children.find(({ name }) => name === part)?.children?.find(({ name }) => name === 'Quantity')?.id ?? ''
  const { features } = client
  await features.addEntityFeature(appId, v, quantityOf('Pizza'), { modelName: 'number', isRequired: true })
  await features.addEntityFeature(appId, v, quantityOf('Toppings'), { modelName: 'number' })
  await features.addEntityFeature(appId, v, quantityOf('Toppings'), { featureName: list.name })
  const text = 'I want two small seafood pizzas with extra cheese.'
  const label = (
    entityName: string,
    words: string,
    inner: LUISAuthoringModels.EntityLabelObject[] = [],
  ): LUISAuthoringModels.EntityLabelObject => ({
    entityName,
    startCharIndex: text.indexOf(words),
    endCharIndex: text.indexOf(words) + words.length - 1,
    children: inner,
  })
  const pizza = [label('Quantity', 'two'), label('Size', 'small'), label('Type', 'seafood')]
  const toppings = [label('Quantity', 'extra'), label('Type', 'cheese')]
  const whole = label('Pizza order', text.slice(7, -1), [
    label('Pizza', 'two small seafood pizzas', pizza),
    label('Toppings', 'extra cheese', toppings),
  ])
  const example = { text, intentName: 'OrderPizzaIntent', entityLabels: [whole] }
  await client.examples.add(appId, v, example, { enableNestedChildren: true })
  await client.train.trainVersion(appId, v)
  await app.jobs.drain()
  await client.apps.publish(appId, { versionId: v, isStaging: false })

  const query = 'I want two small pepperoni pizzas with more salsa'
  const options = { verbose: true, showAllIntents: true }
  const { prediction } = await runtime.prediction.getSlotPrediction(appId, 'Production', { query }, options)
  const found = (type: string, words: string) => [
    {
      type,
      text: words,
      startIndex: query.indexOf(words),
      length: words.length,
      score: expect.any(Number),
      modelTypeId: 1,
      modelType: 'Entity Extractor',
      recognitionSources: ['model'],
    },
  ]
  const expected = {
    Pizza: [
      {
        Quantity: [2],
        Type: ['pepperoni'],
        Size: ['small'],
        $instance: {
          Quantity: found('builtin.number', 'two'),
          Type: found('Type', 'pepperoni'),
          Size: found('Size', 'small'),
        },
      },
    ],
    Toppings: [
      {
        Type: ['salsa'],
        Quantity: ['more'],
        $instance: { Type: found('Type', 'salsa'), Quantity: found('Quantity', 'more') },
      },
    ],
    $instance: {
      Pizza: found('Pizza', 'two small pepperoni pizzas'),
      Toppings: found('Toppings', 'more salsa'),
    },
  }
  expect(prediction).toEqual({
    topIntent: 'OrderPizzaIntent',
    intents: { OrderPizzaIntent: { score: expect.any(Number) }, None: { score: expect.any(Number) } },
    entities: {
      'Pizza order': [expected],
      $instance: { 'Pizza order': found('Pizza order', query.slice(7)) },
    },
  })
}, 120_000)

test('apps and versions are imported, exported, changed and deleted', async () => {
  const appId = await imported('Whole')
  expect(await client.versions.exportMethod(appId, v)).toMatchObject({ name: 'Whole', culture: 'en-us', versionId: v })
  expect((await client.versions.clone(appId, v, { version: 'copy' })).body).toBe('copy')
  await client.versions.importMethod(appId, document() as never, { versionId: 'again' })
  await client.versions.update(appId, 'again', { version: 'last' })
  expect((await client.versions.list(appId)).map(({ version }) => version)).toEqual([v, 'copy', 'last'])
  expect(await client.versions.get(appId, 'last')).toMatchObject({ version: 'last', trainingStatus: 'NeedsTraining' })
  await client.versions.deleteMethod(appId, 'last')
  const lu = '> !# @app.name = Short\n# Greet\n- hello\n'
  await client.apps.importLuFormat(lu)
  await client.apps.update(appId, { name: 'All', description: 'of it' })
  expect(await client.apps.list()).toContainEqual(expect.objectContaining({ name: 'All', description: 'of it' }))
  await client.apps.updateSettings(appId, { isPublic: true })
  expect(await client.apps.getSettings(appId)).toMatchObject({ id: appId, isPublic: true })
  await client.apps.updatePublishSettings(appId, { sentimentAnalysis: true, speech: false, spellChecker: false })
  expect(await client.apps.getPublishSettings(appId)).toMatchObject({
    isSentimentAnalysisEnabled: true,
    isSpeechEnabled: false,
  })
  expect(await client.apps.listEndpoints(appId)).toEqual(expect.objectContaining({}))
  await client.settings.update(appId, v, [{ name: 'UseAllTrainingData', value: 'false' }])
  expect([...(await client.settings.list(appId, v))]).toEqual([{ name: 'UseAllTrainingData', value: 'false' }])
  expect((await client.apps.listSupportedCultures()).length).toBeGreaterThan(15)
  await client.apps.listDomains()
  await client.apps.listUsageScenarios()
  await client.apps.deleteMethod(appId, { force: true })
  await expect(client.apps.get(appId)).rejects.toMatchObject({ statusCode: 404, code: 'NotFound' })
}, 120_000)

test('every kind of model is created, changed and deleted', async () => {
  const appId = await imported('Kinds')
  const { model } = client
  const intentId = await idOf(appId, 'Book')
  await model.updateIntent(appId, v, intentId, { name: 'Reserve' })
  expect((await model.getIntent(appId, v, intentId)).name).toBe('Reserve')
  const { body: spare } = await model.addIntent(appId, v, { name: 'Spare' })
  await model.deleteIntent(appId, v, spare, { deleteUtterances: true })
  await model.listIntents(appId, v)
  const trip = await idOf(appId, 'Trip')
  const { body: child } = await model.addEntityChild(appId, v, trip, { name: 'Hour' })
  await model.updateEntityChild(appId, v, child, { name: 'Time', instanceOf: 'number' })
  expect((await model.getEntity(appId, v, trip)).children?.map(({ name }) => name)).toEqual(['Target', 'Means', 'Time'])
  await model.deleteEntity(appId, v, child)
  await model.listEntities(appId, v)
  const way = await idOf(appId, 'Way')
  await model.updateHierarchicalEntity(appId, v, way, { name: 'Route' })
  const from = (await model.getHierarchicalEntity(appId, v, way)).children?.[0]?.id ?? ''
  await model.updateHierarchicalEntityChild(appId, v, way, from, { name: 'Start' })
  expect((await model.getHierarchicalEntityChild(appId, v, way, from)).name).toBe('Start')
  await model.deleteHierarchicalEntityChild(appId, v, way, from)
  await model.listHierarchicalEntities(appId, v)
  const order = await idOf(appId, 'Order')
  const { body: part } = await model.addCompositeEntityChild(appId, v, order, { name: 'Flight' })
  await model.deleteCompositeEntityChild(appId, v, order, part)
  await model.updateCompositeEntity(appId, v, order, { name: 'Purchase', children: ['Person'] })
  expect((await model.getCompositeEntity(appId, v, order)).name).toBe('Purchase')
  await model.listCompositeEntities(appId, v)
  const place = await idOf(appId, 'Place')
  await model.patchClosedList(appId, v, place, { subLists: [{ canonicalForm: 'Bonn', list: [] }] })
  const { body: sub } = await model.addSubList(appId, v, place, { canonicalForm: 'Nice', list: ['Nizza'] })
  await model.updateSubList(appId, v, place, sub, { canonicalForm: 'Nice', list: [] })
  await model.deleteSubList(appId, v, place, sub)
  await model.updateClosedList(appId, v, place, {
    name: 'Place',
    subLists: [{ canonicalForm: 'Oslo', list: ['Oslo city'] }],
  })
  expect((await model.getClosedList(appId, v, place)).subLists).toHaveLength(1)
  await model.listClosedLists(appId, v)
  const { body: regex } = await model.createRegexEntityModel(appId, v, { name: 'Zip', regexPattern: '[0-9]{5}' })
  await model.updateRegexEntityModel(appId, v, regex, { name: 'Code', regexPattern: '[0-9]{4}' })
  expect((await model.getRegexEntityEntityInfo(appId, v, regex)).regexPattern).toBe('[0-9]{4}')
  await model.listRegexEntityInfos(appId, v)
  const { body: any } = await model.createPatternAnyEntityModel(appId, v, { name: 'Song', explicitList: ['Help'] })
  const { body: item } = await model.addExplicitListItem(appId, v, any, { explicitListItem: 'Michelle' })
  await model.updateExplicitListItem(appId, v, any, item, { explicitListItem: 'Girl' })
  expect((await model.getExplicitListItem(appId, v, any, item)).explicitListItem).toBe('Girl')
  await model.deleteExplicitListItem(appId, v, any, item)
  expect(await model.getExplicitList(appId, v, any)).toHaveLength(1)
  await model.updatePatternAnyEntityModel(appId, v, any, { name: 'Tune', explicitList: [] })
  expect((await model.getPatternAnyEntityInfo(appId, v, any)).name).toBe('Tune')
  await model.listPatternAnyEntityInfos(appId, v)
  const [email] = await model.addPrebuilt(appId, v, ['email'])
  await model.getPrebuilt(appId, v, email?.id ?? '')
  expect((await model.listPrebuilts(appId, v)).map(({ name }) => name)).toContain('email')
  expect((await model.listPrebuiltEntities(appId, v)).length).toBeGreaterThan(10)

  const subject = await idOf(appId, 'Subject')
  const bearers = {
    EntityRole: trip,
    PrebuiltEntityRole: email?.id ?? '',
    ClosedListEntityRole: place,
    RegexEntityRole: regex,
    CompositeEntityRole: order,
    PatternAnyEntityRole: any,
    HierarchicalEntityRole: way,
    CustomPrebuiltEntityRole: subject,
  }
  const methods = model as unknown as Record<string, (...args: unknown[]) => Promise<{ body?: unknown; name?: string }>>
  const call = (name: string, ...args: unknown[]) =>
    (methods[name] ?? (methods[name.replace('CustomPrebuilt', 'Custom')] as never))?.call(model, appId, v, ...args)
  for (const [name, bearer] of Object.entries(bearers)) {
    const { body: role } = await call(`create${name}`, bearer, { name: 'role' })
    await call(`update${name}`, bearer, role, { name: 'part' })
    expect((await call(`get${name}`, bearer, role)).name, name).toBe('part')
    expect(await call(`list${name}s`, bearer), name).toContainEqual({ id: role, name: 'part' })
    await call(`delete${name}`, bearer, role)
  }
  await model.listCustomPrebuiltIntents(appId, v)
  await model.listCustomPrebuiltEntities(appId, v)
  expect((await model.listCustomPrebuiltModels(appId, v)).map(({ name }) => name)).toEqual(['Subject'])
  await model.deleteCustomPrebuiltDomain(appId, v, 'Calendar')
  await model.deletePrebuilt(appId, v, email?.id ?? '')
  await model.deletePatternAnyEntityModel(appId, v, any)
  await model.deleteRegexEntityModel(appId, v, regex)
  await model.deleteCompositeEntity(appId, v, order)
  await model.deleteHierarchicalEntity(appId, v, way)
  await expect(model.deleteClosedList(appId, v, place)).rejects.toMatchObject({ statusCode: 409 })
}, 120_000)

test('features and patterns are created, changed and deleted', async () => {
  const appId = await imported('Features')
  const { features, model, pattern } = client
  const { body: id } = await features.addPhraseList(appId, v, {
    name: 'tones',
    phrases: 'red,blue',
    isExchangeable: false,
  })
  await features.updatePhraseList(appId, v, id, { phraselistUpdateObject: { isActive: false } })
  expect(await features.getPhraseList(appId, v, id)).toMatchObject({
    name: 'tones',
    isActive: false,
    isExchangeable: false,
  })
  expect(await features.listPhraseLists(appId, v)).toHaveLength(3)
  expect((await features.list(appId, v)).patternFeatures).toHaveLength(1)
  const [intentId, entityId] = [await idOf(appId, 'Book'), await idOf(appId, 'Person')]
  await model.replaceIntentFeatures(appId, v, intentId, [{ modelName: 'Place' }])
  expect([...(await model.getIntentFeatures(appId, v, intentId))]).toEqual([{ modelName: 'Place' }])
  await model.deleteIntentFeature(appId, v, intentId, { modelName: 'Place' })
  await features.addEntityFeature(appId, v, entityId, { featureName: 'tones' })
  expect([...(await model.getEntityFeatures(appId, v, entityId))]).toEqual([{ featureName: 'tones' }])
  await model.replaceEntityFeatures(appId, v, entityId, [{ modelName: 'Place' }])
  await model.deleteEntityFeature(appId, v, entityId, { modelName: 'Place' })
  await features.deletePhraseList(appId, v, id)
  const rule = await pattern.addPattern(appId, v, { pattern: 'go to {Place}', intent: 'Book' })
  const changed = { id: rule.id ?? '', pattern: 'go [now] to {Place}', intent: 'Book' }
  expect(await pattern.updatePattern(appId, v, changed.id, changed)).toMatchObject(changed)
  const more = await pattern.batchAddPatterns(appId, v, [{ pattern: 'x', intent: 'Book' }])
  await pattern.updatePatterns(appId, v, [{ id: more[0]?.id ?? '', pattern: 'y', intent: 'Book' }])
  expect((await pattern.listPatterns(appId, v)).map((pattern) => pattern.pattern)).toContain('y')
  expect(await pattern.listIntentPatterns(appId, v, intentId)).toHaveLength(4)
  await pattern.deletePatterns(appId, v, [more[0]?.id ?? ''])
  await pattern.deletePattern(appId, v, changed.id)
}, 120_000)

test('unsupported operations return 501', async () => {
  const appId = await imported('Unbuilt')
  const { apps, model, azureAccounts } = client
  const domain = { domainName: 'Calendar', modelName: 'Subject' }
  expect(await apps.listAvailableCustomPrebuiltDomains()).toHaveLength(0)
  expect(await apps.listAvailableCustomPrebuiltDomainsForCulture('en-us')).toHaveLength(0)
  for (const call of [
    () => apps.listCortanaEndpoints(),
    () => apps.addCustomPrebuiltDomain({ domainName: 'Calendar', culture: 'en-us' }),
    () => model.addCustomPrebuiltDomain(appId, v, { domainName: 'Calendar' }),
    () => model.addCustomPrebuiltIntent(appId, v, domain),
    () => model.addCustomPrebuiltEntity(appId, v, domain),
    () => azureAccounts.getAssigned(appId),
    () => azureAccounts.listUserLUISAccounts(),
    () =>
      azureAccounts.assignToApp(appId, {
        azureAccountInfoObject: { azureSubscriptionId: 'a', resourceGroup: 'b', accountName: 'c' },
      }),
    () => azureAccounts.removeFromApp(appId),
    () => apps.packageTrainedApplicationAsGzip(appId, v),
    () => apps.packagePublishedApplicationAsGzip(appId, 'production'),
  ])
    await expect(call()).rejects.toMatchObject({ statusCode: 501 })
})

test('every operation was called, except those that this version of the SDK lacks', () => {
  const names = operationsOfApi(service, service.apis[0]).map(({ id }) => id)
  expect(names.filter((name) => !called.has(name))).toEqual(names.filter((name) => name.startsWith('Permissions_')))
  expect(names.length - 4).toBe(168)
})
