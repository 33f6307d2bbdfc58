import { sql } from '@icosa/kernel'
import { sized } from '@icosa/testing'
import { expect, test } from 'vitest'
import { callersOf, fileOf, start } from '../testing/app.ts'
import { generatedApp } from '../testing/documents.ts'

test('15 generated apps with every feature are exported as they were imported: as an app, a version and a copy', async () => {
  await using app = await start()
  const calls = await callersOf(app)
  for (let number = 0; number < 15; number++) {
    const document = generatedApp(number)
    const { body: appId } = await calls.apps.import({ body: fileOf(document) })
    const at = { appId, versionId: `0.${number}` }
    expect((await calls.versions.export({ params: at })).body).toEqual(document)
    await calls.versions.clone({ params: at, body: { version: 'copy' } })
    const copy = await calls.versions.export({ params: { appId, versionId: 'copy' } })
    expect(copy.body).toEqual({ ...document, versionId: 'copy' })
    await calls.versions.import({ params: at, query: { versionId: 'again' }, body: fileOf(document) })
    const again = await calls.versions.export({ params: { appId, versionId: 'again' } })
    expect(again.body).toEqual({ ...document, versionId: 'again' })
  }
})

test('older files keep their format: field names, plain children, hierarchical entities among entities', async () => {
  await using app = await start()
  const calls = await callersOf(app)
  const document = {
    luis_schema_version: '2.1.0',
    versionId: '0.1',
    name: 'Older',
    desc: '',
    culture: 'en-us',
    intents: [{ name: 'None' }, { name: 'Go' }],
    entities: [
      { name: 'Way', roles: [], children: ['From', 'To'] },
      { name: 'Person', roles: [] },
    ],
    hierarchicals: [],
    composites: [{ name: 'Both', roles: [], children: ['Way', 'Person'] }],
    closedLists: [],
    patternAnyEntities: [],
    regex_entities: [],
    bing_entities: ['number'],
    model_features: [{ name: 'words', mode: false, words: 'a,b', activated: true }],
    regex_features: [],
    patterns: [],
    utterances: [{ text: 'to Rome', intent: 'Go', entities: [{ entity: 'Way::To', startPos: 3, endPos: 6 }] }],
    settings: [],
  }
  const { body: appId } = await calls.apps.import({ body: fileOf(document) })
  expect((await calls.versions.export({ params: { appId, versionId: '0.1' } })).body).toEqual(document)
})

test.each([
  ['intent', { utterances: [{ text: 'a', intent: 'Nobody', entities: [] }] }, "there is no intent 'Nobody'"],
  [
    'label',
    { utterances: [{ text: 'ab', intent: 'None', entities: [{ entity: 'Person', startPos: 0, endPos: 2 }] }] },
    'not in the text',
  ],
  [
    'entity',
    { utterances: [{ text: 'ab', intent: 'None', entities: [{ entity: 'No', startPos: 0, endPos: 1 }] }] },
    "no entity 'No'",
  ],
  ['schema', { luis_schema_version: '8.0.0' }, "'8.0.0' is unknown"],
  ['regex', { regex_entities: [{ name: 'R', regexPattern: '(', roles: [] }] }, 'regex_entities[0].regexPattern'],
  ['twice', { intents: [{ name: 'None' }, { name: 'None' }] }, "Two intents are named 'None'"],
  ['culture', { culture: 'xx-xx' }, "'xx-xx' is unknown"],
  ['type', { closedLists: {} }, 'closedLists is not a list'],
])('an invalid file is refused with a reason: %s', async (_, wrong, message) => {
  await using app = await start()
  const { apps } = await callersOf(app)
  const refused = apps.import({ body: fileOf({ ...generatedApp(1), ...wrong }) })
  await expect(refused).rejects.toMatchObject({
    status: 400,
    body: { error: { message: expect.stringContaining(message) } },
  })
  expect((await apps.list({})).body).toEqual([])
})

test('unknown members of a file are listed; children of composites may be nested twice', async () => {
  await using app = await start()
  const calls = await callersOf(app)
  const document = generatedApp(1) as unknown as {
    composites: { name: string; children: object[] }[]
    utterances: object[]
  }
  const composites = document.composites.map((composite) => ({
    ...composite,
    children: composite.children.map((name) => ({ name })),
  }))
  const utterances = document.utterances.map((utterance) => ({ ...utterance, note: 'mine' }))
  const importFile = (file: object, appName: string) => calls.apps.import({ query: { appName }, body: fileOf(file) })
  const valid = await importFile({ ...document, composites, settings: null }, 'Known')
  expect(valid.headers.get('icosa-unknown-members')).toBeNull()
  const exported = await calls.versions.export({ params: { appId: valid.body, versionId: '0.1' } })
  expect(exported.body.composites).toEqual(document.composites)
  const unknown = await importFile({ ...document, utterances, colour: 1 }, 'Unknown')
  expect(unknown.headers.get('icosa-unknown-members')).toBe('colour, utterances[].note')
})

test('a large version is imported, exported, copied and deleted completely', async () => {
  await using app = await start()
  const calls = await callersOf(app)
  const intents = Array.from({ length: 500 }, (_, i) => ({ name: `Intent ${i}`, features: [] }))
  const utterances = Array.from({ length: sized(3_000, 15_000) }, (_, i) => ({
    text: `sentence ${i} of Ada`,
    intent: `Intent ${i % 500}`,
    entities: [{ entity: 'Person', startPos: `sentence ${i} of `.length, endPos: `sentence ${i} of Ada`.length - 1 }],
  }))
  const document = { ...generatedApp(1), intents, utterances, patterns: [] }
  const { body: appId } = await calls.apps.import({ body: fileOf(document) })
  const at = { appId, versionId: '0.1' }
  await calls.versions.clone({ params: at, body: { version: 'copy' } })
  const { body: copy } = await calls.versions.export({ params: { appId, versionId: 'copy' } })
  expect(copy).toEqual({ ...document, versionId: 'copy' })
  await calls.apps.delete({ params: at })
  await app.jobs.drain()
  expect(await app.platform.database.many(sql`select 1 from language_authoring.utterances limit 1`)).toEqual([])
  const tooMany = Array.from({ length: 15_001 }, (_, i) => ({ text: `${i}`, intent: 'Intent 0', entities: [] }))
  const refused = calls.apps.import({ body: fileOf({ ...document, utterances: tooMany }) })
  await expect(refused).rejects.toMatchObject({ status: 403, body: { error: { code: 'QuotaExceeded' } } })
}, 120_000)
