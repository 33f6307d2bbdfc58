import { isDeepStrictEqual as isSame } from 'node:util'
import { generatedApp } from '../../services/language-authoring/src/testing/documents.ts'
import { isId, languageOn, namesIn } from './language.ts'
import { type Answer, type Node, statementsOf, until } from './statements.ts'

type Json = Answer['json']

const key = 'icosa-dev-key'
const headers = { 'Vendor-Subscription-Key': key }
/** Utterances with labels `[Part:text]`, each a single Loan. */
const loans = [
  'borrow [Count:two] [Kind:novels] about [Topic:whales]',
  'borrow [Count:three] [Kind:comics] about [Topic:robots]',
  'I want to borrow [Count:four] [Kind:novels] about [Topic:pirates]',
  'can I take home [Count:one] [Kind:comic] about [Topic:ghosts]',
  'please lend me [Count:five] [Kind:novels] about [Topic:winter]',
  'lend me [Count:six] [Kind:comics] about [Topic:cooking]',
  'may I borrow [Count:two] [Kind:comics] about [Topic:music]',
  'we would like to borrow [Count:three] [Kind:novels] about [Topic:space]',
]
const sentences = {
  Renew: ['renew my loan', 'extend the loan by a week', 'keep the books for longer', 'can I renew them once more'],
  Hours: ['when do you open', 'what are your opening hours', 'are you open on sunday', 'when does the library close'],
  Greet: ['hello', 'good morning', 'hi there', 'good evening'],
  None: ['my bicycle is blue', 'the soup was cold', 'he sold his old car', 'trains leave from platform four'],
}
/** Expected intents by query. */
const questions = {
  'borrow two comics about pirates': 'Borrow',
  'please renew my loan': 'Renew',
  'when do you open on sunday': 'Hours',
  'hello there, good morning': 'Greet',
  'where is the book Hunger please': 'Find',
}

statementsOf('L prediction', ['language-authoring'], async (node) => {
  const { appId, at } = await languageOn(node).newApp('Library')
  await authored(node, at)
  await training(node, appId, at)
  await predictions(node, appId)
  await resolutions(node, appId)
  await addresses(node, appId)
  await logs(node, appId, at)
  await exchange(node)
  await versions(node)
  await apps(node, appId)
  await notSupported(node)
})

function labelled(sentence: string) {
  const children: { entityName: string; startCharIndex: number; endCharIndex: number }[] = []
  let text = ''
  for (const [part, entityName, words] of sentence.matchAll(/\[(\w+):([^\]]*)\]|[^[]+/g)) {
    const shown = words ?? part
    if (entityName)
      children.push({ entityName, startCharIndex: text.length, endCharIndex: text.length + shown.length - 1 })
    text += shown
  }
  const startCharIndex = children[0]?.startCharIndex ?? 0
  const endCharIndex = children.at(-1)?.endCharIndex ?? 0
  return { text, intentName: 'Borrow', entityLabels: [{ entityName: 'Loan', startCharIndex, endCharIndex, children }] }
}

/** Authors an app for lending books. */
async function authored(node: Node, at: string): Promise<void> {
  const { send } = languageOn(node)
  for (const name of ['Borrow', 'Renew', 'Hours', 'Greet', 'Find']) await send('POST', `${at}/intents`, { name })
  await send('POST', `${at}/prebuilts`, ['number', 'datetimeV2', 'email', 'percentage', 'ordinalV2', 'url'])
  await send('POST', `${at}/closedlists`, {
    name: 'KindList',
    words: [
      { canonicalForm: 'Novel', list: ['novels', 'stories'] },
      { canonicalForm: 'Comic', list: ['comics', 'manga'] },
    ],
  })
  await send('POST', `${at}/regexentities`, { name: 'Mark', regexPattern: '[a-z]{2}-\\d{3}' })
  await send('POST', `${at}/patternanyentities`, { name: 'Title' })
  await send('POST', `${at}/patternrules`, [{ pattern: 'where is the book {Title} [please]', intent: 'Find' }])
  const children = [
    { name: 'Count', instanceOf: 'number' },
    { name: 'Kind', instanceOf: 'KindList' },
    { name: 'Topic' },
  ]
  await send('POST', `${at}/entities`, { name: 'Loan', children })
  const others = Object.entries(sentences).flatMap(([intentName, all]) => all.map((text) => ({ text, intentName })))
  const added = await send('POST', `${at}/examples?enableNestedChildren=true`, [...loans.map(labelled), ...others])
  node.holds('an app is filled with labelled examples', added.status === 201, added.text)
}

async function training(node: Node, appId: string, at: string): Promise<void> {
  const { holds } = node
  const { send, trained, refuses } = languageOn(node)
  const ask = () => send('POST', `/prediction/apps/${appId}/slots/production/predict`, { query: 'x' })
  const publish = (body: object = { versionId: '0.1', isStaging: false }) =>
    send('POST', `/apps/${appId}/publish`, body)
  holds('GET train of a version that was never trained is empty', isSame((await send('GET', `${at}/train`)).json, []))
  refuses('publishing a version that was never trained', await publish(), 400, 'BadArgument')
  refuses('a question to what is not published', await ask(), 404, 'NotFound')
  const begun = await trained(at)
  holds(
    'POST train is 202 Queued',
    begun.status === 202 && isSame(begun.json, { statusId: 9, status: 'Queued' }),
    begun.text,
  )
  const { json: version } = await send('GET', `${at}/`)
  const isTrained = version.trainingStatus === 'Trained' && Date.parse(version.lastTrainedDateTime) > 0
  holds('the version is trained then', isTrained, version)
  const { json: status } = await send('GET', `${at}/train`)
  const { json: models } = await send('GET', `${at}/models?take=500`)
  const modelIds = status.map(({ modelId }: Json) => modelId)
  holds(
    'GET train has one for each model',
    isSame(
      modelIds,
      models.map(({ id }: Json) => id),
    ),
    status,
  )
  const isUpToDate = ({ details }: Json) => details.status === 'UpToDate' && details.statusId === 2
  holds('each is UpToDate', status.every(isUpToDate), status)
  const borrow = models.find(({ name }: Json) => name === 'Borrow').id
  const { details } = status.find(({ modelId }: Json) => modelId === borrow)
  const isCounted = details.exampleCount === loans.length && Date.parse(details.trainingDateTime) > 0
  holds('with how many examples it learnt from, and when', isCounted, details)
  const again = await send('POST', `${at}/train`)
  const isKnown = again.status === 202 && isSame(again.json, { statusId: 2, status: 'UpToDate' })
  holds('POST train of what is trained is UpToDate', isKnown, again.text)
  const { json: examples } = await send('GET', `${at}/examples?take=1`)
  const [{ intentPredictions, entityPredictions }] = examples
  holds(
    'GET examples shows what the training makes of them',
    intentPredictions[0]?.name === 'Borrow',
    intentPredictions,
  )
  holds(
    'entities, too',
    namesIn({ json: entityPredictions } as Answer, 'entityName').includes('Loan'),
    entityPredictions,
  )

  const published = await publish()
  const { versionId, isStaging, endpointUrl, publishedDateTime } = published.json
  holds('POST publish is 201', published.status === 201 && versionId === '0.1' && isStaging === false, published.text)
  holds('with when and where', Date.parse(publishedDateTime) > 0 && endpointUrl.includes(appId), published.text)
  const { json: endpoints } = await send('GET', `/apps/${appId}/endpoints`)
  holds('GET endpoints names the slot and its address', isSame(endpoints, { PRODUCTION: endpointUrl }), endpoints)
  const { json: app } = await send('GET', `/apps/${appId}`)
  holds('and so does the app', app.endpoints.PRODUCTION?.versionId === '0.1', app.endpoints)
  refuses('publishing an unknown version', await publish({ versionId: '9.9' }), 404, 'NotFound')
  refuses('publishing no version', await publish({}), 400, 'BadArgument')
  await until(async () => (await ask()).status === 200) // published slots are cached for a second
}

async function predictions(node: Node, appId: string): Promise<void> {
  const { holds } = node
  const { send, refuses } = languageOn(node)
  const slot = `/prediction/apps/${appId}/slots/production/predict`
  const ask = (query: string, parameters = '') => send('POST', `${slot}?${parameters}`, { query })
  for (const [query, intent] of Object.entries(questions)) {
    const { json } = await ask(query)
    const { topIntent, intents } = json.prediction
    holds(`'${query}' is ${intent}`, topIntent === intent && intents[intent].score > 0.5, json)
  }
  for (const query of ['xqzv wkrtp', '🐳🐳']) {
    const { prediction } = (await ask(query)).json
    holds(`'${query}' is None`, prediction.topIntent === 'None', prediction)
  }
  const { json: brief } = await ask('good morning')
  holds('an answer repeats its query', brief.query === 'good morning', brief)
  holds('and shows the best intent alone', isSame(Object.keys(brief.prediction.intents), ['Greet']), brief)
  const { json: all } = await ask('good morning', 'show-all-intents=true')
  const scores = Object.values(all.prediction.intents).map((intent) => (intent as { score: number }).score)
  holds('show-all-intents shows all', scores.length === 6 && scores.every((score) => score >= 0 && score <= 1), all)
  holds('an answer has no $instance', !('$instance' in (await ask('seven')).json.prediction.entities))
  const { json: verbose } = await ask('give me seven', 'verbose=true')
  const [instance] = verbose.prediction.entities.$instance.number
  const expected = { type: 'builtin.number', text: 'seven', startIndex: 8, length: 5 }
  for (const [field, value] of Object.entries({ ...expected, modelType: 'Prebuilt Entity Extractor' }))
    holds(`verbose shows the ${field} of an entity`, instance[field] === value, instance)
  holds('and its recognitionSources', isSame(instance.recognitionSources, ['model']), instance)
  const got = await send('GET', `${slot}?query=good%20morning`)
  holds('GET predict is the same', isSame(got.json, brief), got.text)
  const version = await send('POST', `/prediction/apps/${appId}/versions/0.1/predict`, { query: 'good morning' })
  holds('a version answers, too', isSame(version.json, brief), version.text)
  refuses(
    'a slot in which nothing is',
    await send('POST', slot.replace('production', 'staging'), { query: 'x' }),
    404,
    'NotFound',
  )
  refuses('a question of 501 characters', await ask('x'.repeat(501)), 400, 'BadArgument')
  refuses('an empty question', await ask(''), 400, 'BadArgument')
  refuses('no question', await send('POST', slot, {}), 400, 'BadArgument')
  refuses('a question with an unknown field', await send('POST', slot, { query: 'x', junk: 1 }), 400, 'BadArgument')
}

async function resolutions(node: Node, appId: string): Promise<void> {
  const { holds } = node
  const { send, refuses } = languageOn(node)
  const slot = `/prediction/apps/${appId}/slots/production/predict`
  const ask = (body: object) => send('POST', slot, body)
  const entitiesOf = async (body: object | string) =>
    (await ask(typeof body === 'string' ? { query: body } : body)).json.prediction.entities
  const found: Record<string, [entity: string, values: unknown]> = {
    'give me seven': ['number', [7]],
    'about 20 percent': ['percentage', [20]],
    'write to ada@example.com': ['email', ['ada@example.com']],
    'see https://example.com/a?b=c': ['url', ['https://example.com/a?b=c']],
    'go to the next page': ['ordinalV2', [{ offset: 1, relativeTo: 'current' }]],
    'go to the previous page': ['ordinalV2', [{ offset: -1, relativeTo: 'current' }]],
    'the third page': ['ordinalV2', [{ offset: 3, relativeTo: 'start' }]],
    'the last page': ['ordinalV2', [{ offset: 0, relativeTo: 'end' }]],
    'some manga': ['KindList', [['Comic']]],
    'is ab-123 there': ['Mark', ['ab-123']],
    'where is the book War and Peace please': ['Title', ['War and Peace']],
  }
  for (const [query, [entity, values]] of Object.entries(found)) {
    const entities = await entitiesOf(query)
    holds(`'${query}' has a ${entity} of ${JSON.stringify(values)}`, isSame(entities[entity], values), entities)
  }
  const query = 'borrow three novels about pirates'
  const entities = await entitiesOf(query)
  const parts = { Count: [3], Kind: [['Novel']], Topic: ['pirates'] }
  for (const [part, value] of Object.entries(parts))
    holds(`the part ${part} of a whole has its value`, isSame(entities.Loan?.[0]?.[part], value), entities)
  const options = { datetimeReference: '2026-02-27T10:00:00' }
  const dated = await entitiesOf({ query: 'open tomorrow', options })
  holds('datetimeReference is the time of the question', JSON.stringify(dated.datetimeV2).includes('2026-02-28'), dated)
  const requestLists = [{ canonicalForm: 'Atlas', synonyms: ['maps'] }]
  const dynamic = await entitiesOf({ query: 'some maps', dynamicLists: [{ listEntityName: 'KindList', requestLists }] })
  holds('dynamicLists add words for a question', isSame(dynamic.KindList, [['Atlas']]), dynamic)
  holds('and for that one alone', !('KindList' in (await entitiesOf('some maps'))))
  const external = { entityName: 'Mark', startIndex: 3, entityLength: 4, resolution: { shelf: 9 } }
  const foreign = await entitiesOf({ query: 'is zork there', externalEntities: [external] })
  holds('externalEntities are answered with their resolution', isSame(foreign.Mark, [{ shelf: 9 }]), foreign)
  const outside = await ask({ query: 'x', externalEntities: [external] })
  refuses('an external entity that is not in the text', outside, 400, 'BadArgument')
  const undated = await ask({ query: 'x', options: { datetimeReference: 'yesterday' } })
  refuses('a datetimeReference that is none', undated, 400, 'BadArgument')
}

/** Paths that bots of the original use. */
async function addresses(node: Node, appId: string): Promise<void> {
  const { call, holds } = node
  const path = `/language-authoring/prediction/apps/${appId}/slots/production/predict?query=hello`
  holds('a question without a key is 401', (await call(path)).status === 401)
  for (const [where, answer] of [
    ['the query', await call(`${path}&subscription-key=${key}`)],
    ['the header', await call(path, { headers })],
  ] as const)
    holds(`the key of a question may be in ${where}`, answer.json?.prediction?.topIntent === 'Greet', answer.text)
  for (const place of ['slots/production', 'slots/PRODUCTION', 'versions/0.1']) {
    const answer = await call(`/luis/prediction/v3.0/apps/${appId}/${place}/predict?query=hello`, { headers })
    holds(`${place} answers at the root of the host`, answer.json?.prediction?.topIntent === 'Greet', answer.text)
  }
  const older = await call(`/luis/v2.0/apps/${appId}?q=hello%20ab-123&verbose=true`, { headers })
  const { query, topScoringIntent, intents, entities } = older.json
  holds('the older interface answers', query === 'hello ab-123' && topScoringIntent.intent === 'Greet', older.text)
  holds('with all intents if it is verbose', intents.length === 6, intents)
  const mark = entities.find(({ type }: Json) => type === 'Mark')
  holds('with entities by their first and last letter', mark?.startIndex === 6 && mark.endIndex === 11, entities)
  const json = await call(`/luis/v2.0/apps/${appId}`, { method: 'POST', headers, json: 'hello' })
  holds('and takes POST', json.json?.topScoringIntent?.intent === 'Greet', json.text)
}

async function logs(node: Node, appId: string, at: string): Promise<void> {
  const { holds } = node
  const { send, succeeds } = languageOn(node)
  const slot = `/prediction/apps/${appId}/slots/production/predict`
  await send('POST', `${slot}?log=true`, { query: 'hello dear librarian' })
  await send('POST', slot, { query: 'hello without a trace' })
  const csv = await until(async () => {
    const { text } = await send('GET', `/apps/${appId}/querylogs`)
    return text.includes('hello dear librarian') && text
  })
  holds('questions are logged with log=true', csv, csv)
  holds('and not without it', !csv?.includes('hello without a trace'), csv)
  const { json: intents } = await send('GET', `${at}/intents`)
  const greet = intents.find(({ name }: Json) => name === 'Greet').id
  const suggested = await send('GET', `${at}/intents/${greet}/suggest`)
  holds(
    'they are suggested for their intent',
    namesIn(suggested, 'text').includes('hello dear librarian'),
    suggested.text,
  )
  succeeds('DELETE suggest', await send('DELETE', `${at}/suggest`, 'hello dear librarian'))
  const left = await send('GET', `${at}/intents/${greet}/suggest`)
  holds('takes one away', !namesIn(left, 'text').includes('hello dear librarian'), left.text)
}

async function exchange(node: Node): Promise<void> {
  const { holds } = node
  const { send, refuses } = languageOn(node)
  for (const number of [1, 2]) {
    const document = generatedApp(number)
    const imported = await send('POST', '/apps/import', document)
    holds(`POST apps/import of file ${number} is 201 with a bare id`, imported.status === 201 && isId(imported.json))
    const { json: exported } = await send('GET', `/apps/${imported.json}/versions/0.${number}/export`)
    holds(`file ${number} is exported as it was imported`, isSame(exported, document), exported)
    const again = await send('POST', `/apps/${imported.json}/versions/import?versionId=again`, document)
    holds(`file ${number} is imported as a version`, again.status === 201 && again.json === 'again', again.text)
    const { json: version } = await send('GET', `/apps/${imported.json}/versions/again/export`)
    holds(`and exported alike (${number})`, isSame(version, { ...document, versionId: 'again' }), version)
  }
  const document = { ...generatedApp(1), name: 'Wrong' }
  const label = { entity: 'Person', startPos: 0, endPos: 2 }
  const bad: Record<string, object> = {
    'with an unknown intent': { utterances: [{ text: 'a', intent: 'Nobody', entities: [] }] },
    'with a label outside its text': { utterances: [{ text: 'ab', intent: 'None', entities: [label] }] },
    'of an unknown schema': { luis_schema_version: '8.0.0' },
    'with two intents of one name': { intents: [{ name: 'None' }, { name: 'None' }] },
    'in an unknown culture': { culture: 'xx-xx' },
  }
  for (const [how, wrong] of Object.entries(bad))
    refuses(`a file ${how}`, await send('POST', '/apps/import', { ...document, ...wrong }), 400, 'BadArgument')
  const unknown = await send('POST', '/apps/import?appName=Unknown', { ...document, colour: 1 })
  holds('members that are unknown are named in a header', unknown.headers.get('icosa-unknown-members') === 'colour')
}

async function versions(node: Node): Promise<void> {
  const { holds } = node
  const { send, newApp, refuses, succeeds } = languageOn(node)
  const { appId, at } = await newApp('Versions')
  await send('POST', `${at}/intents`, { name: 'Ask' })
  await send('POST', `${at}/example`, { text: 'what is that', intentName: 'Ask' })
  const clone = await send('POST', `${at}/clone`, { version: '0.2' })
  holds('POST clone is 201 with the name of the version', clone.status === 201 && clone.json === '0.2', clone.text)
  const list = await send('GET', `/apps/${appId}/versions`)
  holds('GET versions lists both', isSame(namesIn(list, 'version'), ['0.1', '0.2']), list.text)
  const { json: copy } = await send('GET', `/apps/${appId}/versions/0.2/export`)
  const isCopy = copy.utterances[0].text === 'what is that' && copy.intents.some(({ name }: Json) => name === 'Ask')
  holds('a clone has what the version has', isCopy, copy)
  refuses('a clone of a name that is taken', await send('POST', `${at}/clone`, { version: '0.1' }), 409, 'Conflict')
  succeeds('PUT of a version', await send('PUT', `/apps/${appId}/versions/0.2/`, { version: '0.3' }))
  const lu = await send('GET', `/apps/${appId}/versions/0.3/export?format=lu`)
  holds('which renames it; it is exported as .lu, too', /# Ask\s+- what is that/.test(lu.text), lu.text)
  succeeds('DELETE of a version', await send('DELETE', `/apps/${appId}/versions/0.3/`))
  refuses('DELETE of the only version', await send('DELETE', `${at}/`), 409, 'Conflict')
}

async function apps(node: Node, appId: string): Promise<void> {
  const { call, holds, instance } = node
  const { send, refuses, succeeds } = languageOn(node)
  succeeds('PUT of an app', await send('PUT', `/apps/${appId}`, { name: 'Public library', description: 'all of it' }))
  const { json: app } = await send('GET', `/apps/${appId}`)
  holds('changes name and description', app.name === 'Public library' && app.description === 'all of it', app)
  const otherTenant = await instance.app.tenant('globex')
  const path = `/prediction/apps/${appId}/slots/production/predict?query=hello`
  const ask = () => otherTenant.fetch('language-authoring', path)
  holds('another tenant cannot ask it', (await ask()).status === 404)
  succeeds('PUT settings of an app', await send('PUT', `/apps/${appId}/settings`, { public: true }))
  const { json: settings } = await send('GET', `/apps/${appId}/settings`)
  holds('which are shown', isSame(settings, { id: appId, public: true }), settings)
  holds('another tenant can ask a public one', await until(async () => (await ask()).status === 200))
  const choice = { sentimentAnalysis: true, speech: false, spellChecker: true }
  succeeds('PUT publishsettings', await send('PUT', `/apps/${appId}/publishsettings`, choice))
  const { json: chosen } = await send('GET', `/apps/${appId}/publishsettings`)
  holds('keeps them', isSame(chosen, { id: appId, ...choice }), chosen)
  const emails = ['ada@example.com']
  succeeds('PUT permissions', await send('PUT', `/apps/${appId}/permissions`, { emails }))
  const { json: permissions } = await send('GET', `/apps/${appId}/permissions`)
  holds('keeps the addresses', isSame(permissions.emails, emails), permissions)
  const { json: cultures } = await send('GET', '/apps/cultures')
  for (const { code } of cultures) {
    const created = await send('POST', '/apps/', { name: `In ${code}`, culture: code })
    holds(`an app may be in ${code}`, created.status === 201 && isId(created.json), created.text)
  }
  for (const what of ['domains', 'usagescenarios']) {
    const { json } = await send('GET', `/apps/${what}`)
    holds(
      `GET apps/${what} lists some`,
      json.length > 3 && json.every((name: unknown) => typeof name === 'string'),
      json,
    )
  }
  const used = await send('DELETE', `/apps/${appId}/versions/0.1/`)
  refuses('DELETE of a version that is published', used, 409, 'Conflict')
  refuses('DELETE of an app that is published', await send('DELETE', `/apps/${appId}`), 409, 'Conflict')
  succeeds('DELETE of it with force=true', await send('DELETE', `/apps/${appId}?force=true`))
  refuses('an app that was deleted', await send('GET', `/apps/${appId}`), 404, 'NotFound')
  const address = `/language-authoring${path}`
  holds('and it answers nobody', await until(async () => (await call(address, { headers })).status === 404))
}

async function notSupported(node: Node): Promise<void> {
  const { unbuilt } = node
  const { send, newApp } = languageOn(node)
  const { appId, at } = await newApp('Not built')
  const domain = { domainName: 'Calendar', modelName: 'Add' }
  const requests: [method: string, path: string, name: string, body?: object][] = [
    ['GET', '/apps/assistants', 'apps/assistants'],
    ['GET', '/azureaccounts', 'azureaccounts'],
    ['GET', `/apps/${appId}/azureaccounts`, 'azureaccounts'],
    ['POST', `/apps/${appId}/azureaccounts`, 'azureaccounts', {}],
    ['DELETE', `/apps/${appId}/azureaccounts`, 'azureaccounts'],
    ['GET', `/package/${appId}/slot/production/gzip`, 'gzip'],
    ['GET', `/package/${appId}/versions/0.1/gzip`, 'gzip'],
    ['POST', '/apps/customprebuiltdomains', 'prebuilt domains', { domainName: 'Calendar', culture: 'en-us' }],
    ['POST', `${at}/customprebuiltdomains`, 'prebuilt domains', { domainName: 'Calendar' }],
    ['POST', `${at}/customprebuiltintents`, 'prebuilt domains', domain],
    ['POST', `${at}/customprebuiltentities`, 'prebuilt domains', domain],
  ]
  for (const [method, path, name, body] of requests)
    unbuilt(`${method} ${path.replace(appId, '{appId}')} is not supported`, await send(method, path, body), name)
}
