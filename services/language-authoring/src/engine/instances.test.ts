import { expect, test } from 'vitest'
import { predict } from './index.ts'
import { modelOf } from './testing/asking.ts'
import { emptyApp, labelled } from './testing/corpus.ts'

test('an entity or a part shows the list, regex or prebuilt entity that it is an instance of, which is not shown twice', async () => {
  const sizes = { name: 'Sizes', roles: [], subLists: [{ canonicalForm: 'Large', list: ['big', 'large'] }] }
  const app = emptyApp({
    intents: [{ name: 'None' }, { name: 'order' }],
    entities: [
      {
        name: 'order',
        roles: [],
        children: [
          { name: 'count', features: [{ modelName: 'number', isRequired: true }] },
          { name: 'size', instanceOf: 'Sizes' },
          { name: 'topping', features: [{ modelName: 'number' }] },
        ],
      },
    ],
    closedLists: [sizes],
    prebuiltEntities: [{ name: 'number', roles: [] }],
    utterances: ['ham', 'cheese', 'olive', '4 cheese'].flatMap((topping) => [
      labelled('order', `i want {order={count=two} {size=big} {topping=${topping}} pizzas}`),
      labelled('order', `bring me {order={count=3} {size=large} {topping=${topping}} pizzas} please`),
    ]),
  })
  const model = await modelOf(app)
  const { entities } = predict(model, { query: 'i want three big 4 cheese pizzas' })
  expect(entities.map(({ name, text }) => `${name} ${text}`)).toEqual(['order three big 4 cheese pizzas', 'number 4'])
  expect(entities[0]?.children.map(({ text, instance }) => [text, instance?.type, instance?.resolution])).toEqual([
    ['three', 'builtin.number', { value: '3' }],
    ['big', 'Sizes', ['Large']],
    ['4 cheese', undefined, undefined],
  ])
})
