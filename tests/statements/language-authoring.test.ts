import { isDeepStrictEqual as isSame } from 'node:util'
import { isId, languageOn, namesIn, pagesHold, unknownId } from './language.ts'
import { type Answer, type Node, statementsOf } from './statements.ts'

const key = 'icosa-dev-key'

statementsOf('L authoring', ['language-authoring'], async (node) => {
  await callers(node)
  const { at } = await languageOn(node).newApp('Authoring')
  await phraseLists(node, at)
  const intentIds = await intents(node, at)
  await examples(node, at, intentIds)
  await deletion(node, at, intentIds)
})

async function callers(node: Node): Promise<void> {
  const { call, holds, url, instance } = node
  const { send, refuses } = languageOn(node)
  const apps = `${url}/language-authoring/apps/`
  refuses('a request without a key', await call(apps), 401, 'Unspecified')
  const wrong = await call(apps, { headers: { 'Vendor-Subscription-Key': 'wrong' } })
  refuses('a request with a wrong key', wrong, 401, 'Unspecified')
  for (const header of ['Vendor-Subscription-Key', 'Ocp-Apim-Subscription-Key'])
    holds(`the key is in ${header}`, isSame((await call(apps, { headers: { [header]: key } })).json, []))
  const original = await call(`${url}/luis/authoring/v3.0-preview/apps/`, {
    headers: { 'Vendor-Subscription-Key': key },
  })
  holds("the original's paths are at the root of the host", isSame(original.json, []), original.text)

  const sent = { name: 'Library', culture: 'en-us', description: 'Books', usageScenario: 'Bot', domain: 'Education' }
  const created = await send('POST', '/apps/', { ...sent, initialVersionId: '1.0' })
  holds('POST apps is 201 with a bare id', created.status === 201 && isId(created.json), created.text)
  const { json: app } = await send('GET', `/apps/${created.json}`)
  for (const [field, value] of Object.entries({ ...sent, id: created.json, activeVersion: '1.0', versionsCount: 1 }))
    holds(`an app shows its ${field}`, app[field] === value, app)
  holds('an app shows its endpoints and their hits', isSame([app.endpoints, app.endpointHitsCount], [{}, 0]), app)
  holds('an app shows when it was made', Date.parse(app.createdDateTime) > 0, app)
  const { json: version } = await send('GET', `/apps/${created.json}/versions/1.0/`)
  const isFresh = version.version === '1.0' && version.intentsCount === 1 && version.trainingStatus === 'NeedsTraining'
  holds('its version has the intent None, and needs training', isFresh, version)
  refuses('an app of a name that is taken', await send('POST', '/apps/', sent), 409, 'Conflict')
  const bad: Record<string, object> = {
    'without a name': { culture: 'en-us' },
    'without a culture': { name: 'x' },
    'in an unknown culture': { name: 'x', culture: 'xx-yy' },
    'with an unknown field': { name: 'x', culture: 'en-us', junk: true },
  }
  for (const [how, body] of Object.entries(bad))
    refuses(`an app ${how}`, await send('POST', '/apps/', body), 400, 'BadArgument')
  refuses('an unknown app', await send('GET', `/apps/${unknownId}`), 404, 'NotFound')
  const unknownVersion = await send('GET', `/apps/${created.json}/versions/9.9/intents`)
  refuses('an unknown version', unknownVersion, 404, 'NotFound')
  const otherTenant = await instance.app.tenant('globex')
  const foreign = await otherTenant.fetch('language-authoring', `/apps/${created.json}`)
  holds("another tenant's app is 404", foreign.status === 404, foreign.status)
}

async function phraseLists(node: Node, at: string): Promise<void> {
  const { holds } = node
  const { send, refuses, succeeds } = languageOn(node)
  const all = `${at}/phraselists`
  const created = await send('POST', all, { Name: 'Genres', Phrases: 'crime,poetry,travel', isExchangeable: false })
  holds(
    'POST phraselists is 201 with a number as the id',
    created.status === 201 && Number.isInteger(created.json),
    created.text,
  )
  const other = await send('POST', all, { name: 'Formats', phrases: 'paper,audio' })
  holds("and takes the original's spelling", other.status === 201 && other.json !== created.json, other.text)
  const one = `${all}/${created.json}`
  const read = async (path = one) => (await send('GET', path)).json
  const genres = { id: created.json, name: 'Genres', isActive: true, enabledForAllModels: true }
  const first = { ...genres, phrases: 'crime,poetry,travel', isExchangeable: false }
  const shown = await read()
  holds('GET phraselists/{id} shows nothing else', Object.keys(shown).length === Object.keys(first).length, shown)
  for (const [field, value] of Object.entries(first))
    holds(`a phrase list shows its ${field}`, shown[field] === value, shown)
  const usual = await read(`${all}/${other.json}`)
  holds('isExchangeable is true by default', usual.isExchangeable === true, usual)
  holds('IsActive is true by default', usual.isActive === true, usual)
  holds('GET phraselists lists them, oldest first', isSame(namesIn(await send('GET', all)), ['Genres', 'Formats']))
  await pagesHold(node, all)
  const { json: features } = await send('GET', `${at}/features`)
  const isFeatures = isSame(features, { phraselistFeatures: [shown, usual], patternFeatures: [] })
  holds('GET features lists phrase lists and pattern features', isFeatures, features)
  await pagesHold(node, `${at}/features`, ({ json }: Answer) => json.phraselistFeatures)

  const put = (body?: object, path = one) => send('PUT', path, body)
  succeeds('PUT of IsActive alone', await put({ IsActive: false }))
  const inactive = await read()
  holds('which changes that alone', isSame(inactive, { ...shown, isActive: false }), inactive)
  const whole = { Name: 'Kinds', Pattern: 'crime,drama', Mode: 'Exchangeable', IsActive: true }
  succeeds('PUT of Name, Pattern, Mode and IsActive', await put(whole))
  const changed = await read()
  const kinds = { ...shown, name: 'Kinds', phrases: 'crime,drama', isExchangeable: true }
  holds('which changes them all', isSame(changed, kinds), changed)
  for (const [mode, isExchangeable] of Object.entries({ NonExchangeable: false, Exchangeable: true })) {
    await put({ Mode: mode })
    const after = await read()
    holds(`Mode ${mode} is isExchangeable ${isExchangeable}`, after.isExchangeable === isExchangeable, after)
  }
  const junk = await put({ Mode: 'Junk' })
  refuses('PUT of an unknown Mode', junk, 400, 'BadArgument')
  holds('and names the field as it was sent', junk.text.includes('Mode'), junk.text)
  succeeds('PUT without a body', await put())
  succeeds('PUT of an empty body', await put({}))
  holds('which change nothing', isSame(await read(), kinds), await read())
  refuses('PUT of a name that is taken', await put({ Name: 'Formats' }), 409, 'Conflict')
  refuses('PUT of an unknown field', await put({ junk: 1 }), 400, 'BadArgument')
  refuses('POST of a name that is taken', await send('POST', all, { name: 'Kinds', phrases: 'x' }), 409, 'Conflict')
  const bad: Record<string, object> = {
    'without a name': { phrases: 'x' },
    'without phrases': { name: 'x' },
    'with a word as isExchangeable': { name: 'x', phrases: 'y', isExchangeable: 'maybe' },
    'with an unknown field': { name: 'x', phrases: 'y', junk: 1 },
  }
  for (const [how, body] of Object.entries(bad))
    refuses(`POST phraselists ${how}`, await send('POST', all, body), 400, 'BadArgument')
  const broken = await node.call(`${node.url}/language-authoring${all}`, {
    method: 'POST',
    headers: { 'Vendor-Subscription-Key': key, 'content-type': 'application/json' },
    body: '{"name":',
  })
  refuses('a body that is no JSON', broken, 400, 'BadArgument')
  for (const id of ['999999', 'x'])
    for (const method of ['GET', 'DELETE'])
      refuses(`${method} phraselists/${id}`, await send(method, `${all}/${id}`), 404, 'NotFound')
  refuses('PUT phraselists/999999', await put({ IsActive: true }, `${all}/999999`), 404, 'NotFound')
  succeeds('DELETE phraselists/{id}', await send('DELETE', `${all}/${other.json}`))
  refuses('a phrase list that was deleted', await send('GET', `${all}/${other.json}`), 404, 'NotFound')
}

type Ids = Readonly<Record<'Borrow' | 'Renew' | 'Hours' | 'Greet', string>>

async function intents(node: Node, at: string): Promise<Ids> {
  const { holds } = node
  const { send, refuses, succeeds } = languageOn(node)
  const all = `${at}/intents`
  const ids: Record<string, string> = {}
  for (const name of ['Borrow', 'Renew', 'Hours', 'Greet']) {
    const { status, json } = await send('POST', all, { name })
    holds(`POST intents is 201 with the id of ${name}`, status === 201 && isId(json), json)
    ids[name] = json
  }
  const list = await send('GET', all)
  holds(
    'GET intents lists them and None',
    isSame(namesIn(list), ['None', 'Borrow', 'Renew', 'Hours', 'Greet']),
    list.text,
  )
  await pagesHold(node, all)
  const { json: shown } = await send('GET', `${all}/${ids.Borrow}`)
  const expected = { id: ids.Borrow, name: 'Borrow', typeId: 0, readableType: 'Intent Classifier' }
  holds('GET intents/{id} shows id, name, typeId and readableType', isSame(shown, expected), shown)
  const put = (body: object, id = ids.Renew) => send('PUT', `${all}/${id}`, body)
  succeeds('PUT intents/{id}', await put({ name: 'Extend' }))
  holds('which gives it another name', (await send('GET', `${all}/${ids.Renew}`)).json.name === 'Extend')
  refuses('PUT of a name that another intent has', await put({ name: 'Hours' }), 409, 'Conflict')
  refuses('PUT intents/{id} without a name', await put({}), 400, 'BadArgument')
  await put({ name: 'Renew' })
  refuses('POST of an intent that is there', await send('POST', all, { name: 'Borrow' }), 409, 'Conflict')
  for (const body of [{}, { name: '' }, { name: 'x'.repeat(201) }, { name: 'x', junk: true }, { name: 1 }])
    refuses(`POST intents ${JSON.stringify(body).slice(0, 30)}`, await send('POST', all, body), 400, 'BadArgument')
  for (const id of [unknownId, 'not-a-guid']) {
    for (const method of ['GET', 'DELETE'])
      refuses(`${method} intents/${id}`, await send(method, `${all}/${id}`), 404, 'NotFound')
    refuses(`PUT intents/${id}`, await put({ name: 'x' }, id), 404, 'NotFound')
  }
  return ids as Ids
}

async function examples(node: Node, at: string, ids: Ids): Promise<void> {
  const { holds } = node
  const { send, refuses, succeeds } = languageOn(node)
  const { json: authorId } = await send('POST', `${at}/entities`, { name: 'Author' })
  await send('POST', `${at}/entities`, { name: 'Loan', children: [{ name: 'Title' }, { name: 'Days' }] })
  const text = 'lend me something by Ibsen'
  const label = { entityName: 'Author', startCharIndex: 21, endCharIndex: 25 }
  const add = (body: object, query = '') => send('POST', `${at}/example${query}`, body)
  const created = await add({ text, intentName: 'Borrow', entityLabels: [label] })
  const isMade =
    created.status === 201 && created.json.UtteranceText === text && Number.isInteger(created.json.ExampleId)
  holds('POST example is 201 with UtteranceText and ExampleId', isMade, created.text)
  const bad: Record<string, object> = {
    'of an unknown intent': { text: 'x', intentName: 'Nope' },
    'without a text': { intentName: 'Borrow' },
    'without an intent': { text: 'x' },
    'of 501 characters': { text: 'y'.repeat(501), intentName: 'Borrow' },
    'with a label outside it': { text: 'abc', intentName: 'Borrow', entityLabels: [{ ...label, endCharIndex: 50 }] },
    'with an unknown entity': {
      text: 'abc',
      intentName: 'Borrow',
      entityLabels: [{ entityName: 'Nope', startCharIndex: 0, endCharIndex: 2 }],
    },
    'with an unknown field': { text: 'x', intentName: 'Borrow', junk: 1 },
  }
  for (const [how, body] of Object.entries(bad)) refuses(`an example ${how}`, await add(body), 400, 'BadArgument')
  const whole = {
    entityName: 'Loan',
    startCharIndex: 7,
    endCharIndex: 22,
    children: [
      { entityName: 'Title', startCharIndex: 7, endCharIndex: 12 },
      { entityName: 'Days', startCharIndex: 18, endCharIndex: 22 },
    ],
  }
  const loan = { text: 'borrow Hunger for seven days', intentName: 'Borrow', entityLabels: [whole] }
  const nested = await add(loan, '?enableNestedChildren=true')
  holds('POST example takes nested labels with enableNestedChildren', nested.status === 201, nested.text)
  const list = async (query = '') => (await send('GET', `${at}/examples${query}`)).json
  const find = (all: { id: number }[], id: number) => all.find((one) => one.id === id) as Answer['json']
  const deep = find(await list('?enableNestedChildren=true'), nested.json.ExampleId)
  const [within] = deep.entityLabels
  const isNested =
    deep.entityLabels.length === 1 &&
    isSame(namesIn({ json: within.children } as Answer, 'entityName'), ['Title', 'Days'])
  holds('GET examples shows labels nested with enableNestedChildren=true', isNested, deep)
  const flat = find(await list(), nested.json.ExampleId)
  const isFlat = isSame(namesIn({ json: flat.entityLabels } as Answer, 'entityName'), ['Loan', 'Title', 'Days'])
  holds(
    'and flat without it',
    isFlat && flat.entityLabels.every((entityLabel: object) => !('children' in entityLabel)),
    flat,
  )
  const shown = find(await list(), created.json.ExampleId)
  const expected = {
    id: created.json.ExampleId,
    text,
    tokenizedText: ['lend', 'me', 'something', 'by', 'ibsen'],
    intentLabel: 'Borrow',
    entityLabels: [{ entityName: 'Author', startTokenIndex: 4, endTokenIndex: 4 }],
    intentPredictions: [],
    entityPredictions: [],
  }
  for (const [field, value] of Object.entries(expected))
    holds(
      `an example shows its ${field}`,
      JSON.stringify(shown[field]).toLowerCase() === JSON.stringify(value).toLowerCase(),
      shown[field],
    )
  const again = await add({ text, intentName: 'Renew' })
  const replaced = find(await list(), created.json.ExampleId)
  const isReplaced = again.json.ExampleId === created.json.ExampleId && replaced.intentLabel === 'Renew'
  holds('the same text again replaces what was said of it', isReplaced && isSame(replaced.entityLabels, []), replaced)
  await add({ text, intentName: 'Borrow', entityLabels: [label] })

  const batch = (body: unknown) => send('POST', `${at}/examples`, body)
  const greetings = ['good morning', 'hello there', 'hi', 'good evening']
  const added = await batch(greetings.map((greeting) => ({ text: greeting, intentName: 'Greet' })))
  holds('POST examples is 201', added.status === 201, added.text)
  const texts = added.json.map(({ value }: Answer['json']) => value.UtteranceText)
  holds('with the examples that were added, in their order', isSame(texts, greetings), added.text)
  holds(
    'none of which has an error',
    added.json.every(({ hasError }: Answer['json']) => hasError === false),
    added.text,
  )
  const partly = await batch([
    { text: 'hey', intentName: 'Greet' },
    { text: 'z', intentName: 'Nope' },
  ])
  holds('POST examples is 207 if some are wrong', partly.status === 207, partly.text)
  const [good, wrong] = partly.json
  const isTold = wrong.hasError === true && wrong.error.code === 'FAILED' && wrong.error.message.includes('Nope')
  holds('with an error for each that is', good.hasError === false && isTold, partly.text)
  const isKept = (await list('?take=500')).some((one: Answer['json']) => one.text === 'hey')
  holds('and the others are added', isKept)
  holds('all may be wrong', (await batch([{ text: 'q', intentName: 'Nope' }])).status === 207)
  refuses('POST examples of what is no list', await batch({ text: 'x', intentName: 'Greet' }), 400, 'BadArgument')
  await pagesHold(node, `${at}/examples`)
  await pagesHold(node, `${at}/models/${ids.Greet}/examples`)
  const ofIntent = await send('GET', `${at}/models/${ids.Greet}/examples`)
  holds(
    'GET models/{id}/examples shows those of an intent',
    isSame(namesIn(ofIntent, 'text'), [...greetings, 'hey']),
    ofIntent.text,
  )
  const ofEntity = await send('GET', `${at}/models/${authorId}/examples`)
  holds(
    'and those in which an entity is labelled',
    isSame(ofEntity.json, [{ id: created.json.ExampleId, text }]),
    ofEntity.text,
  )
  refuses('those of an unknown model', await send('GET', `${at}/models/${unknownId}/examples`), 404, 'NotFound')
  succeeds('DELETE examples/{id}', await send('DELETE', `${at}/examples/${created.json.ExampleId}`))
  const deletion = await send('DELETE', `${at}/examples/${created.json.ExampleId}`)
  refuses('DELETE of an unknown example', deletion, 404, 'NotFound')
  await batch(Array.from({ length: 110 }, (_, number) => ({ text: `is it open at ${number}`, intentName: 'Hours' })))
  holds('take is 100 by default', (await list()).length === 100)
  holds('and take=0 is none', isSame(await list('?take=0'), []))
}

async function deletion(node: Node, at: string, ids: Ids): Promise<void> {
  const { holds } = node
  const { send, refuses, succeeds } = languageOn(node)
  const labelled = async (intent: string) => {
    const { json } = await send('GET', `${at}/examples?take=500`)
    return json.filter(({ intentLabel }: Answer['json']) => intentLabel === intent).length
  }
  await send('POST', `${at}/example`, { text: 'keep it for longer', intentName: 'Renew' })
  const before = await labelled('None')
  succeeds('DELETE intents/{id}', await send('DELETE', `${at}/intents/${ids.Renew}`))
  holds('its utterances are those of None', (await labelled('None')) === before + 1, before)
  const count = await labelled('Greet')
  succeeds(
    'DELETE intents/{id} with deleteUtterances',
    await send('DELETE', `${at}/intents/${ids.Greet}?deleteUtterances=true`),
  )
  const after = [await labelled('Greet'), await labelled('None')]
  holds('deletes them, too', count === 5 && isSame(after, [0, before + 1]), after)
  refuses('an intent that was deleted', await send('GET', `${at}/intents/${ids.Greet}`), 404, 'NotFound')
  const bad = await send('DELETE', `${at}/intents/${ids.Hours}?deleteUtterances=maybe`)
  refuses('deleteUtterances=maybe', bad, 400, 'BadArgument')
  const none = (await send('GET', `${at}/intents`)).json[0].id
  refuses('DELETE of the intent None', await send('DELETE', `${at}/intents/${none}`), 400, 'BadArgument')
  refuses('another name for None', await send('PUT', `${at}/intents/${none}`, { name: 'x' }), 400, 'BadArgument')
}
