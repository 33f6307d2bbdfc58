import { expect, test } from 'vitest'
import type { AppDocument } from './document.ts'
import { loadModel, type Prediction, predict } from './index.ts'
import { ask, culture, modelOf, named, scoreOf } from './testing/asking.ts'
import { emptyApp, generatedApp, labelled } from './testing/corpus.ts'

const grocers = ['du pain', 'du lait', 'des pommes', 'du fromage']
const tools = ['un marteau', 'une scie', 'des clous', 'une vis']
const shopping = (parts: Partial<AppDocument>): AppDocument =>
  emptyApp({
    culture,
    intents: [{ name: 'None' }, { name: 'food' }, { name: 'tools' }],
    utterances: [
      ...grocers.map((thing) => labelled('food', `je veux ${thing}`)),
      ...tools.map((thing) => labelled('tools', `je veux ${thing}`)),
    ],
    ...parts,
  })

test('a phrase list classifies a sentence with unseen words', async () => {
  const words = 'pain,lait,pommes,fromage,poireaux,sel'
  const list = { name: 'edible', mode: true, words, activated: true, enabledForAllModels: true }
  const sentence = 'je veux poireaux'
  const without = await ask(shopping({}), sentence)
  const withList = await ask(shopping({ phraselists: [list] }), sentence)
  const off = await ask(shopping({ phraselists: [{ ...list, activated: false }] }), sentence)
  expect(withList.topIntent).toBe('food')
  expect(scoreOf(withList, 'food')).toBeGreaterThan(scoreOf(without, 'food') + 0.2)
  expect(scoreOf(off, 'food')).toBeCloseTo(scoreOf(without, 'food'), 3)
})

test('a relation applies a phrase list that is not for all models to one of them', async () => {
  const list = {
    name: 'edible',
    mode: true,
    words: 'pain,lait,pommes,fromage,poireaux',
    activated: true,
    enabledForAllModels: false,
  }
  const related = [{ name: 'None' }, { name: 'food', features: [{ featureName: 'edible' }] }, { name: 'tools' }]
  const unrelated = await ask(shopping({ phraselists: [list] }), 'je veux poireaux')
  const relation = await ask(shopping({ phraselists: [list], intents: related }), 'je veux poireaux')
  expect(scoreOf(relation, 'food')).toBeGreaterThan(scoreOf(unrelated, 'food') + 0.2)
})

const townSentences = ['Paris', 'Lyon', 'Lille', 'Nice'].flatMap((town) => [
  labelled('go', `je vais voir {place=${town}} demain`),
  labelled('go', `je vais voir paul demain`),
  labelled('go', `aller voir {place=${town}} vite`),
  labelled('go', `aller voir marie vite`),
])
const towns = {
  name: 'towns',
  subLists: [{ canonicalForm: 'city', list: ['Paris', 'Lyon', 'Lille', 'Nice', 'Brest'] }],
  roles: [],
}
const travel = (parts: Partial<AppDocument>): AppDocument =>
  emptyApp({
    culture,
    intents: [{ name: 'None' }, { name: 'go' }],
    entities: [{ name: 'place', roles: [] }],
    utterances: townSentences,
    ...parts,
  })

test('a list entity is found with its canonical form, and is a feature for new values of an entity', async () => {
  const features = [{ modelName: 'towns' }]
  const plain = await modelOf(travel({ closedLists: [towns], entities: [{ name: 'place', roles: [], features: [] }] }))
  const related = await modelOf(travel({ closedLists: [towns], entities: [{ name: 'place', roles: [], features }] }))
  const query = 'il faut voir brest bientôt'
  const scoreIn = (model: typeof plain, text: string) =>
    predict(model, { query: text }).entities.find(({ name }) => name === 'place')?.score ?? 0
  expect(scoreIn(related, query)).toBeGreaterThan(scoreIn(plain, query))
  expect(named(predict(related, { query }), 'place')).toEqual(['brest'])
  expect(predict(related, { query }).entities.find(({ name }) => name === 'towns')).toMatchObject({
    kind: 'list',
    text: 'brest',
    resolution: ['city'],
  })
  expect(named(await ask(travel({ closedLists: [towns] }), 'je vais voir oslo demain'), 'towns')).toEqual([])
})

test('a required feature is a condition', async () => {
  const entities = [{ name: 'place', roles: [], features: [{ modelName: 'towns', isRequired: true }] }]
  const model = await modelOf(travel({ closedLists: [towns], entities }))
  expect(named(predict(model, { query: 'je vais voir Lyon demain' }), 'place')).toEqual(['Lyon'])
  const without = await modelOf(travel({ closedLists: [{ ...towns, subLists: [] }], entities }))
  expect(named(predict(without, { query: 'je vais voir Lyon demain' }), 'place')).toEqual([])
})

test('a prebuilt entity as a feature finds unseen numbers', async () => {
  const sentences = [
    'pon {count=dos} manzanas aquí',
    'pon {count=tres} manzanas aquí',
    'pon {count=4} manzanas aquí',
    'pon las manzanas aquí',
    'pon mis manzanas aquí',
    'pon tus manzanas aquí',
  ]
  const app = (features: { modelName: string }[]) =>
    emptyApp({
      culture: 'es-es',
      entities: [{ name: 'count', roles: [], features }],
      prebuiltEntities: [{ name: 'number', roles: [] }],
      utterances: sentences.map((sentence) => labelled('None', sentence)),
    })
  const sentence = 'pon diecisiete manzanas aquí'
  const scoreIn = ({ entities }: Prediction) => entities.find(({ name }) => name === 'count')?.score ?? 0
  const related = await ask(app([{ modelName: 'number' }]), sentence)
  expect(named(related, 'count')).toEqual(['diecisiete'])
  expect(scoreIn(related)).toBeGreaterThan(scoreIn(await ask(app([]), sentence)))
})

test('a pattern takes precedence over the classifier, and finds its entities', async () => {
  const app = emptyApp({
    intents: [{ name: 'None' }, { name: 'add' }, { name: 'drop' }],
    patternAnyEntities: [{ name: 'item', explicitList: ['salt from the sea'], roles: [] }],
    patterns: [{ pattern: '[please] get [me] {item} from {item:shop}', intent: 'drop' }],
    utterances: ['get me milk', 'get me some bread', 'get eggs'].map((text) => labelled('add', text)),
  })
  const model = await modelOf(app)
  const other = await modelOf({ ...app, patterns: [] })
  const query = 'get me salt from the sea from bob'
  expect(predict(other, { query }).topIntent).toBe('add')
  const prediction = predict(model, { query })
  expect(prediction.topIntent).toBe('drop')
  expect(prediction.entities.map(({ name, text, role }) => [name, text, role])).toEqual([
    ['item', 'salt from the sea', undefined],
    ['item', 'bob', 'shop'],
  ])
})

const pizzas = [
  '{order={size=small} {topping=ham} pizza}',
  '{order={size=large} {topping=cheese} pizza}',
  '{order={size=small} {topping=olive} pizza}',
  '{order={size=large} {topping=ham} pizza}',
].flatMap((order) => [labelled('order', `i want a ${order}`), labelled('order', `bring me a ${order} please`)])

test('children are found inside their parents, and only there', async () => {
  const app = emptyApp({
    intents: [{ name: 'None' }, { name: 'order' }],
    entities: [{ name: 'order', roles: [], children: [{ name: 'size' }, { name: 'topping' }] }],
    utterances: pizzas,
  })
  const model = await modelOf(app)
  const { entities } = predict(model, { query: 'i want a large olive pizza please' })
  expect(entities).toMatchObject([
    {
      name: 'order',
      text: 'large olive pizza',
      children: [
        { name: 'size', text: 'large' },
        { name: 'topping', text: 'olive' },
      ],
    },
  ])
  const childless = await ask({ ...app, entities: [{ name: 'order', roles: [] }] }, 'i want a large olive pizza please')
  expect(childless.entities[0]?.children).toEqual([])
})

test('composites contain their entities; hierarchical children are distinguished by context', async () => {
  const flights = ['Rome', 'Oslo', 'Cairo', 'Lima'].flatMap((from, i, all) => {
    const to = all[(i + 1) % all.length] ?? ''
    return [
      labelled('fly', `fly {trip=from {place::from=${from}} to {place::to=${to}}}`),
      labelled('fly', `a {trip=trip from {place::from=${from}} to {place::to=${to}}} please`),
    ]
  })
  const app = emptyApp({
    intents: [{ name: 'None' }, { name: 'fly' }],
    hierarchicals: [{ name: 'place', children: [{ name: 'from' }, { name: 'to' }] }],
    composites: [{ name: 'trip', children: [{ name: 'place::from' }, { name: 'place::to' }], roles: [] }],
    utterances: flights,
  })
  const { entities } = await ask(app, 'fly from Lima to Rome')
  expect(entities).toMatchObject([
    {
      name: 'trip',
      kind: 'composite',
      children: [
        { name: 'place::from', kind: 'hierarchical', text: 'Lima' },
        { name: 'place::to', text: 'Rome' },
      ],
    },
  ])
})

test('roles of machine-learned entities and of lists', async () => {
  const cities = ['Rome', 'Oslo', 'Cairo', 'Lima']
  const sentences = (entity: string) =>
    cities.map((from, i) =>
      labelled('fly', `fly from {${entity}@origin=${from}} to {${entity}@target=${cities[(i + 1) % 4]}}`),
    )
  const rolesOf = ({ entities }: Prediction) => entities.map(({ text, role }) => `${text} ${role}`)
  const base = { intents: [{ name: 'None' }, { name: 'fly' }] }
  const roles = ['origin', 'target']
  const machineLearned = emptyApp({ ...base, entities: [{ name: 'city', roles }], utterances: sentences('city') })
  const listed = emptyApp({
    ...base,
    closedLists: [{ name: 'city', roles, subLists: cities.map((name) => ({ canonicalForm: name, list: [] })) }],
    utterances: sentences('city'),
  })
  for (const app of [machineLearned, listed])
    expect(rolesOf(await ask(app, 'fly from Cairo to Rome'))).toEqual(['Cairo origin', 'Rome target'])
})

test('dynamic lists and external entities of a query', async () => {
  const app = emptyApp({
    closedLists: [{ name: 'staff', subLists: [{ canonicalForm: 'Ann', list: ['annie'] }], roles: [] }],
  })
  const model = await modelOf(app)
  const query = 'call annie and frank'
  const dynamicLists = [
    { listEntityName: 'staff', requestLists: [{ name: 'boss', canonicalForm: 'Frank', synonyms: ['frankie'] }] },
  ]
  expect(
    predict(model, { query, dynamicLists }).entities.map(({ text, resolution, source }) => [text, resolution, source]),
  ).toEqual([
    ['annie', ['Ann'], 'model'],
    ['frank', ['Frank'], 'dynamic-list'],
  ])
  const entity = { entityName: 'staff', startIndex: 5, entityLength: 5, resolution: { id: 7 } }
  const external = (preferExternalEntities: boolean) =>
    predict(model, { query, externalEntities: [entity], preferExternalEntities }).entities.map(
      ({ source, resolution }) => [source, resolution],
    )
  expect(external(true)).toEqual([['external', { id: 7 }]])
  expect(external(false)).toEqual([['model', ['Ann']]])
})

test('other scripts work, too', async () => {
  const app = emptyApp({
    culture: 'zh-cn',
    intents: [{ name: 'None' }, { name: '订票' }, { name: '天气' }],
    entities: [{ name: '城市', roles: [] }],
    closedLists: [{ name: '动物', subLists: [{ canonicalForm: '猫', list: ['小猫'] }], roles: [] }],
    utterances: ['北京', '上海', '广州', '成都'].flatMap((city) => [
      labelled('订票', `我要去{城市=${city}}的票`),
      labelled('天气', `{城市=${city}}天气怎么样`),
    ]),
  })
  const model = await modelOf(app)
  const prediction = predict(model, { query: '我要去成都的票' })
  expect(prediction.topIntent).toBe('订票')
  expect(named(prediction, '城市')).toEqual(['成都'])
  expect(named(predict(model, { query: '我的小猫' }), '动物')).toEqual(['小猫'])
})

test('names such as __proto__ and constructor work', async () => {
  const app = emptyApp({
    culture,
    intents: [{ name: '__proto__' }, { name: 'constructor' }],
    entities: [{ name: '__proto__', roles: [], children: [{ name: 'toString' }] }],
    utterances: [
      labelled('__proto__', 'lire {__proto__=le {toString=__proto__} bleu}'),
      labelled('__proto__', 'voir {__proto__=le {toString=constructor} bleu}'),
      labelled('constructor', 'dormir'),
      labelled('constructor', 'chanter'),
    ],
  })
  const prediction = await ask(app, 'lire le __proto__ bleu')
  expect(prediction.topIntent).toBe('__proto__')
  expect(prediction.entities).toMatchObject([
    { name: '__proto__', children: [{ name: 'toString', text: '__proto__' }] },
  ])
})

test('unusual queries are answered', async () => {
  const model = await modelOf(generatedApp({ intents: 3, utterances: 4, entities: 1 }))
  for (const query of [
    '',
    ' ',
    '\u0000',
    '\ud800',
    '?'.repeat(500),
    'a'.repeat(500),
    '\u{1f600}'.repeat(100),
    '((((',
    '{entity0}',
  ]) {
    const { intents, query: answered } = predict(model, { query })
    expect(answered).toBe(query)
    expect(intents.every(({ score }) => Number.isFinite(score))).toBe(true)
  }
  expect(() => loadModel(new Uint8Array(20))).toThrow('not a trained model')
})
