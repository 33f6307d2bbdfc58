import { isDeepStrictEqual as isSame } from 'node:util'
import { prebuiltEntities } from '../../services/language-authoring/src/prebuilts/data.ts'
import { isId, languageOn, namesIn, pagesHold, unknownId } from './language.ts'
import { type Answer, type Node, statementsOf } from './statements.ts'

type Json = Answer['json']

const prebuiltNames = prebuiltEntities.map(({ name }) => name)
const unbuiltPrebuilts = ['personName', 'geographyV2', 'geography', 'keyPhrase', 'encyclopedia']

statementsOf('L models', ['language-authoring'], async (node) => {
  const { at } = await languageOn(node).newApp('Models')
  await prebuilts(node, at)
  await entities(node, at)
  await lists(node, at)
  await otherKinds(node, at)
  await models(node, at)
  await relations(node, at)
  await olderKinds(node)
})

async function prebuilts(node: Node, at: string): Promise<void> {
  const { holds, unbuilt } = node
  const { send, refuses } = languageOn(node)
  const { json: available } = await send('GET', `${at}/listprebuilts`)
  holds(
    'GET listprebuilts lists those that can be added',
    isSame(
      available.map(({ name }: Json) => name),
      prebuiltNames,
    ),
    available,
  )
  const isDescribed = available.every(({ description, examples }: Json) => description !== '' && examples !== '')
  holds('with a description and examples', isDescribed, available)
  const add = (body: unknown) => send('POST', `${at}/prebuilts`, body)
  const added = await add(['number', 'email'])
  const [number] = added.json
  holds(
    'POST prebuilts is 201 with an info for each',
    added.status === 201 && isSame(namesIn(added), ['number', 'email']),
    added.text,
  )
  const expected = { id: number.id, name: 'number', typeId: 2, readableType: 'Prebuilt Entity Extractor', roles: [] }
  holds('an info has id, name, typeId, readableType and roles', isSame(number, expected) && isId(number.id), number)
  refuses('a prebuilt entity that is there', await add(['number']), 409, 'Conflict')
  refuses('an unknown prebuilt entity', await add(['nosuch']), 400, 'BadArgument')
  refuses('prebuilts that are no list', await add({}), 400, 'BadArgument')
  refuses('an empty list of prebuilts', await add([]), 400, 'BadArgument')
  for (const name of unbuiltPrebuilts) unbuilt(`the prebuilt ${name} is not supported`, await add([name]), name)
  const rest = prebuiltNames.filter((name) => name !== 'number' && name !== 'email')
  holds('every prebuilt of listprebuilts can be added', (await add(rest)).status === 201)
  const list = await send('GET', `${at}/prebuilts`)
  holds('GET prebuilts lists them, oldest first', isSame(namesIn(list), ['number', 'email', ...rest]), list.text)
  await pagesHold(node, `${at}/prebuilts`)
  const other = await send('GET', `/apps/${unknownId}/versions/0.1/listprebuilts`)
  refuses('listprebuilts of an unknown app', other, 404, 'NotFound')
}

async function entities(node: Node, at: string): Promise<void> {
  const { holds } = node
  const { send, refuses, succeeds } = languageOn(node)
  const all = `${at}/entities`
  const make = (body: object) => send('POST', all, body)
  const author = await make({ name: 'Writer' })
  holds('POST entities is 201 with a bare id', author.status === 201 && isId(author.json), author.text)
  const loan = await make({
    name: 'Loan',
    children: [
      { name: 'Shelf' },
      { name: 'Count', instanceOf: 'number' },
      { name: 'Work', children: [{ name: 'Title' }, { name: 'By', instanceOf: 'Writer' }] },
    ],
  })
  holds('POST entities takes children', loan.status === 201 && isId(loan.json), loan.text)
  const read = async (id: string): Promise<Json> => (await send('GET', `${all}/${id}`)).json
  const { children, ...shown } = await read(loan.json)
  const expected = { id: loan.json, name: 'Loan', typeId: 1, readableType: 'Entity Extractor', roles: [] }
  holds('GET entities/{id} shows id, name, typeId, readableType and roles', isSame(shown, expected), shown)
  holds(
    'and its children',
    isSame(
      children.map(({ name }: Json) => name),
      ['Shelf', 'Count', 'Work'],
    ),
    children,
  )
  const [shelf, count, work] = children
  holds('a child is a Child Entity Extractor', shelf.readableType === 'Child Entity Extractor' && isId(shelf.id), shelf)
  holds('a child is an instance of another model', count.instanceOf === 'number' && !('instanceOf' in shelf), count)
  const deeper = work.children.map(({ name, instanceOf = null }: Json) => [name, instanceOf])
  holds(
    'children have children',
    isSame(deeper, [
      ['Title', null],
      ['By', 'Writer'],
    ]),
    work,
  )
  const bad: Record<string, object> = {
    'without a name': {},
    'with an empty name': { name: '' },
    'with an unknown field': { name: 'x', junk: 1 },
    'with a child of an unknown model': { name: 'x', children: [{ name: 'c', instanceOf: 'Nope' }] },
    'with two children of one name': { name: 'x', children: [{ name: 'c' }, { name: 'c' }] },
    'with a child without a name': { name: 'x', children: [{}] },
  }
  for (const [how, body] of Object.entries(bad)) refuses(`an entity ${how}`, await make(body), 400, 'BadArgument')
  refuses('an entity of a name that is taken', await make({ name: 'Loan' }), 409, 'Conflict')
  refuses('an entity of the name of a prebuilt one', await make({ name: 'number' }), 409, 'Conflict')
  const list = await send('GET', all)
  holds('GET entities lists the simple ones alone', isSame(namesIn(list), ['Writer', 'Loan']), list.text)
  await pagesHold(node, all)

  const patch = (id: string, body: object) => send('PATCH', `${all}/${id}`, body)
  succeeds('PATCH entities/{id}', await patch(author.json, { name: 'Author' }))
  const renamed = await read(loan.json)
  holds('which gives it another name', (await read(author.json)).name === 'Author')
  holds('also where it is named', renamed.children[2].children[1].instanceOf === 'Author', renamed)
  succeeds('PATCH of a child', await patch(shelf.id, { name: 'Place', instanceOf: 'Author' }))
  const [place] = (await read(loan.json)).children
  holds('which changes its name and its model', place.name === 'Place' && place.instanceOf === 'Author', place)
  const alone = await read(shelf.id)
  holds('GET entities/{id} of a child shows it', alone.name === 'Place' && alone.instanceOf === 'Author', alone)
  refuses('PATCH to a name that is taken', await patch(author.json, { name: 'Loan' }), 409, 'Conflict')
  refuses('PATCH of a child to the name of another', await patch(shelf.id, { name: 'Count' }), 409, 'Conflict')
  refuses('PATCH of an entity with instanceOf', await patch(author.json, { instanceOf: 'number' }), 400, 'BadArgument')
  refuses('PATCH of a child with an unknown model', await patch(shelf.id, { instanceOf: 'Nope' }), 400, 'BadArgument')
  refuses('PATCH of an entity with an unknown field', await patch(author.json, { junk: 1 }), 400, 'BadArgument')
  for (const id of [unknownId, 'not-a-guid']) {
    for (const method of ['GET', 'DELETE'])
      refuses(`${method} entities/${id}`, await send(method, `${all}/${id}`), 404, 'NotFound')
    refuses(`PATCH entities/${id}`, await patch(id, { name: 'x' }), 404, 'NotFound')
  }
  const used = await send('DELETE', `${all}/${author.json}`)
  refuses('DELETE of an entity that a child is an instance of', used, 409, 'Conflict')
  succeeds('DELETE entities/{id} of a child', await send('DELETE', `${all}/${shelf.id}`))
  const left = (await read(loan.json)).children.map(({ name }: Json) => name)
  holds('takes that child alone', isSame(left, ['Count', 'Work']), left)
  const { json: brief } = await make({ name: 'Brief' })
  succeeds('DELETE entities/{id}', await send('DELETE', `${all}/${brief}`))
  refuses('an entity that was deleted', await send('GET', `${all}/${brief}`), 404, 'NotFound')
  const added = await send('POST', `${all}/${loan.json}/children`, { name: 'Until' })
  const last = (await read(loan.json)).children.at(-1)
  holds('a child can be added later', added.status === 201 && last.id === added.json && last.name === 'Until', last)
}

async function lists(node: Node, at: string): Promise<void> {
  const { holds } = node
  const { send, refuses, succeeds } = languageOn(node)
  const all = `${at}/closedlists`
  const make = (body: object) => send('POST', all, body)
  const wordsOf = async (id: string) =>
    (await send('GET', `${all}/${id}`)).json.subLists.map(({ canonicalForm, list }: Json) => [canonicalForm, ...list])
  const words = [
    { canonicalForm: 'Novel', list: ['story', 'fiction'] },
    { canonicalForm: 'Comic', list: ['manga'] },
  ]
  const kinds = await make({ name: 'Kind', words })
  holds('POST closedlists is 201 with a bare id', kinds.status === 201 && isId(kinds.json), kinds.text)
  const kept = [
    ['Novel', 'story', 'fiction'],
    ['Comic', 'manga'],
  ]
  holds('and keeps the words', isSame(await wordsOf(kinds.json), kept), await wordsOf(kinds.json))
  const colours = await make({ name: 'Colour', subLists: [{ canonicalForm: 'Red', list: ['scarlet'] }] })
  holds(
    "words may be subLists, as the original's clients write",
    isSame(await wordsOf(colours.json), [['Red', 'scarlet']]),
  )
  const { json: shown } = await send('GET', `${all}/${kinds.json}`)
  const isShown = shown.name === 'Kind' && shown.typeId === 5 && shown.readableType === 'Closed List Entity Extractor'
  holds('a list entity shows name, typeId and readableType', isShown && isSame(shown.roles, []), shown)
  for (const body of [
    { words },
    { name: 'x', words: 'a,b' },
    { name: 'x', words: [{ list: ['y'] }] },
    { name: 'x', junk: 1 },
  ])
    refuses(`POST closedlists ${JSON.stringify(body).slice(0, 40)}`, await make(body), 400, 'BadArgument')
  refuses('a list entity of a name that is taken', await make({ name: 'Kind', words: [] }), 409, 'Conflict')
  const list = await send('GET', all)
  holds('GET closedlists lists them', isSame(namesIn(list), ['Kind', 'Colour']), list.text)
  await pagesHold(node, all)
  const one = `${all}/${kinds.json}`
  succeeds(
    'PATCH closedlists/{id}',
    await send('PATCH', one, { subLists: [{ canonicalForm: 'Atlas', list: ['map'] }] }),
  )
  holds('adds words', isSame(await wordsOf(kinds.json), [...kept, ['Atlas', 'map']]))
  const sub = await send('POST', `${one}/sublists`, { canonicalForm: 'Poem', list: ['verse'] })
  succeeds(
    'PUT of a sublist',
    await send('PUT', `${one}/sublists/${sub.json}`, { canonicalForm: 'Poem', list: ['ode'] }),
  )
  holds('changes its words', isSame((await wordsOf(kinds.json)).at(-1), ['Poem', 'ode']))
  succeeds('DELETE of a sublist', await send('DELETE', `${one}/sublists/${sub.json}`))
  succeeds('PUT closedlists/{id}', await send('PUT', one, { name: 'Form', subLists: words }))
  holds('replaces its words', isSame(await wordsOf(kinds.json), kept))
  succeeds('DELETE closedlists/{id}', await send('DELETE', `${all}/${colours.json}`))
  refuses('a list entity that was deleted', await send('GET', `${all}/${colours.json}`), 404, 'NotFound')
}

/** Kinds of entities that the specification counts in its 168 operations but does not show. */
async function otherKinds(node: Node, at: string): Promise<void> {
  const { holds } = node
  const { send, refuses, succeeds } = languageOn(node)
  const regex = await send('POST', `${at}/regexentities`, { name: 'Mark', regexPattern: '[a-z]{2}-\\d{3}' })
  const { json: shown } = await send('GET', `${at}/regexentities/${regex.json}`)
  const isRegex = shown.regexPattern === '[a-z]{2}-\\d{3}' && shown.readableType === 'Regex Entity Extractor'
  holds('a regex entity keeps its expression', regex.status === 201 && isRegex && shown.typeId === 8, shown)
  const looking = await send('POST', `${at}/regexentities`, { name: 'Looking', regexPattern: 'a(?=b)' })
  refuses('a regex entity that looks around', looking, 400, 'BadArgument')
  const any = await send('POST', `${at}/patternanyentities`, { name: 'Book', explicitList: ['Of Mice and Men'] })
  const { json: book } = await send('GET', `${at}/patternanyentities/${any.json}`)
  const isAny = book.explicitList[0].explicitListItem === 'Of Mice and Men' && book.typeId === 7
  holds('a pattern.any entity keeps its list', any.status === 201 && isAny, book)
  await send('POST', `${at}/intents`, { name: 'Find' })
  const pattern = 'where is {Book} [please]'
  const rules = await send('POST', `${at}/patternrules`, [{ pattern, intent: 'Find' }])
  const [rule] = rules.json
  holds(
    'patterns are made of an intent',
    rules.status === 201 && rule.pattern === pattern && rule.intent === 'Find',
    rule,
  )
  const unknown = await send('POST', `${at}/patternrule`, { pattern: 'where is {Nope}', intent: 'Find' })
  refuses('a pattern of an unknown entity', unknown, 400, 'BadArgument')
  const used = await send('DELETE', `${at}/patternanyentities/${any.json}`)
  refuses('DELETE of an entity that a pattern names', used, 409, 'Conflict')
  const role = await send('POST', `${at}/regexentities/${regex.json}/roles`, { name: 'old' })
  const { json: roles } = await send('GET', `${at}/regexentities/${regex.json}/roles`)
  holds('an entity has roles', role.status === 201 && isSame(roles, [{ id: role.json, name: 'old' }]), roles)
  const settings = [{ name: 'NormalizePunctuation', value: 'true' }]
  succeeds('PUT settings of a version', await send('PUT', `${at}/settings`, settings))
  holds('which keeps them', isSame((await send('GET', `${at}/settings`)).json, settings))
}

async function models(node: Node, at: string): Promise<void> {
  const { holds } = node
  const { send } = languageOn(node)
  const { json } = await send('GET', `${at}/models?take=500`)
  const types = Object.fromEntries((json as Json[]).map(({ readableType, typeId }) => [readableType, typeId]))
  const expected = {
    'Intent Classifier': 0,
    'Entity Extractor': 1,
    'Prebuilt Entity Extractor': 2,
    'Closed List Entity Extractor': 5,
    'Pattern.Any Entity Extractor': 7,
    'Regex Entity Extractor': 8,
  }
  for (const [type, typeId] of Object.entries(expected))
    holds(`GET models has models of the type ${type}`, types[type] === typeId, types)
  const ids = new Set((json as Json[]).map(({ id }) => id))
  holds('each with a GUID of its own', ids.size === json.length && [...ids].every(isId), json)
  const kinds = ['intents', 'entities', 'closedlists', 'prebuilts', 'regexentities', 'patternanyentities']
  const each: string[] = []
  for (const kind of kinds) each.push(...namesIn(await send('GET', `${at}/${kind}?take=500`), 'id'))
  holds('and has those of all other lists', isSame([...ids].toSorted(), each.toSorted()), each.length)
  await pagesHold(node, `${at}/models`)
}

async function relations(node: Node, at: string): Promise<void> {
  const { holds } = node
  const { send, refuses, succeeds } = languageOn(node)
  for (const name of ['Readers', 'Places']) await send('POST', `${at}/phraselists`, { name, phrases: 'x,y' })
  const { json: intentId } = await send('POST', `${at}/intents`, { name: 'Lend' })
  const { json: all } = await send('GET', `${at}/entities`)
  const entityId = all.find(({ name }: Json) => name === 'Author').id
  for (const [what, of] of [
    ['an intent', `intents/${intentId}`],
    ['an entity', `entities/${entityId}`],
  ] as const) {
    const path = `${at}/${of}/features`
    const list = async () => (await send('GET', path)).json
    holds(`GET features of ${what} is empty at first`, isSame(await list(), []))
    succeeds(`POST features of ${what} with a featureName`, await send('POST', path, { featureName: 'Readers' }))
    succeeds(
      `POST features of ${what} with a modelName`,
      await send('POST', path, { modelName: 'Form', isRequired: true }),
    )
    const both = [{ featureName: 'Readers' }, { modelName: 'Form', isRequired: true }]
    holds(`GET features of ${what} lists both`, isSame(await list(), both), await list())
    const wrong = [
      { featureName: 'Nope' },
      { modelName: 'Nope' },
      {},
      { featureName: 'Places', modelName: 'Form' },
      { junk: 1 },
    ]
    for (const body of wrong)
      refuses(`POST features of ${what} ${JSON.stringify(body)}`, await send('POST', path, body), 400, 'BadArgument')
    const again = await send('POST', path, { featureName: 'Readers' })
    refuses(`a relation that ${what} has`, again, 409, 'Conflict')
    succeeds(`PUT features of ${what}`, await send('PUT', path, [{ featureName: 'Places' }]))
    holds(`which replaces all of ${what}`, isSame(await list(), [{ featureName: 'Places' }]), await list())
    refuses(`PUT features of ${what} that is no list`, await send('PUT', path, {}), 400, 'BadArgument')
    succeeds(`DELETE features of ${what}`, await send('DELETE', path, { featureName: 'Places' }))
    holds(`which takes it from ${what}`, isSame(await list(), []), await list())
    const missing = await send('DELETE', path, { featureName: 'Places' })
    refuses(`DELETE of a relation that ${what} has not`, missing, 404, 'NotFound')
    const nobody = `${at}/${of.replace(/[^/]*$/, unknownId)}/features`
    refuses(`GET features of what is not there, for ${what}`, await send('GET', nobody), 404, 'NotFound')
  }
  const path = `${at}/intents/${intentId}/features`
  await send('POST', path, { featureName: 'Readers' })
  const { json: phraseLists } = await send('GET', `${at}/phraselists`)
  const { id } = phraseLists.find(({ name }: Json) => name === 'Readers')
  await send('PUT', `${at}/phraselists/${id}`, { Name: 'People' })
  holds(
    'a relation follows the name of its phrase list',
    isSame((await send('GET', path)).json, [{ featureName: 'People' }]),
  )
  await send('DELETE', `${at}/phraselists/${id}`)
  holds('and goes with it', isSame((await send('GET', path)).json, []))
}

/** Hierarchical and composite entities, and pattern features, which can only be imported. */
async function olderKinds(node: Node): Promise<void> {
  const { holds } = node
  const { send } = languageOn(node)
  const file = {
    ...{ luis_schema_version: '3.2.0', versionId: '0.1', name: 'Older', desc: '', culture: 'en-us' },
    intents: [{ name: 'Move' }, { name: 'None' }],
    entities: [
      { name: 'Reader', roles: [] },
      ...['Room', 'Floor'].map((name) => ({ name, children: ['Old', 'New'], roles: [] })),
    ],
    composites: ['Move order', 'Removal'].map((name) => ({ name, children: ['Reader', 'Room::New'], roles: [] })),
    ...{ closedLists: [], patternAnyEntities: [], regex_entities: [], prebuiltEntities: [], model_features: [] },
    regex_features: [{ name: 'numbers', pattern: '\\d+', activated: true }],
    ...{ patterns: [], utterances: [] },
  }
  const imported = await send('POST', '/apps/import?appName=Older', file)
  holds('an app is made from an older file', imported.status === 201 && isId(imported.json), imported.text)
  const at = `/apps/${imported.json}/versions/0.1`
  const { json: hierarchicals } = await send('GET', `${at}/hierarchicalentities`)
  const [room] = hierarchicals
  const isRoom = room.name === 'Room' && room.typeId === 3 && room.readableType === 'Hierarchical Entity Extractor'
  holds('GET hierarchicalentities shows them', isRoom && hierarchicals.length === 2, hierarchicals)
  holds(
    'with their children',
    isSame(
      room.children.map(({ name }: Json) => name),
      ['Old', 'New'],
    ),
    room,
  )
  await pagesHold(node, `${at}/hierarchicalentities`)
  const { json: composites } = await send('GET', `${at}/compositeentities`)
  const [order] = composites
  const isOrder =
    order.name === 'Move order' && order.typeId === 4 && order.readableType === 'Composite Entity Extractor'
  holds('GET compositeentities shows them', isOrder && composites.length === 2, composites)
  holds(
    'with their children, too',
    isSame(
      order.children.map(({ name }: Json) => name),
      ['Reader', 'Room::New'],
    ),
    order,
  )
  await pagesHold(node, `${at}/compositeentities`)
  const { json: features } = await send('GET', `${at}/features`)
  const [pattern] = features.patternFeatures
  const isPattern = pattern?.name === 'numbers' && pattern.pattern === '\\d+' && pattern.isActive === true
  holds('GET features shows pattern features', isPattern && isSame(features.phraselistFeatures, []), features)
}
