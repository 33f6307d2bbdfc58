import { expect, test } from 'vitest'
import type { AppDocument, Label } from '../../engine/document.ts'
import { callersOf, fileOf, start } from '../../testing/app.ts'
import { generatedApp } from '../../testing/documents.ts'
import { readApp } from '../read.ts'
import { writeApp } from '../write.ts'
import { parseLu } from './parse.ts'
import { writeLu } from './write.ts'

const there = (document: object) => writeApp(readApp(document)) as unknown as AppDocument
const andBack = (document: object) => there(parseLu(writeLu(readApp(document))) as object)

/** Utterances come back by intents, labels from left to right. */
function sorted({ utterances, ...rest }: AppDocument) {
  const key = (value: object) => JSON.stringify(value)
  const by = (one: object, other: object) => (key(one) < key(other) ? -1 : 1)
  const labels = (all: readonly Label[]): Label[] => all.toSorted(by)
  return { ...rest, utterances: utterances.map((one) => ({ ...one, entities: labels(one.entities) })).sort(by) }
}

/** A generated app without what .lu cannot say. */
const sayable = (number: number) => {
  const isNumber = { modelName: 'number', isRequired: true }
  const { entities, intents, utterances, ...app } = generatedApp(number) as unknown as AppDocument
  const [person, trip] = entities
  return {
    ...app,
    intents: intents.map((intent) => ({
      ...intent,
      features: intent.features?.map(({ isRequired: _, ...one }) => one),
    })),
    entities: [
      person,
      {
        ...trip,
        children: [
          { name: 'Target', children: [], features: [{ modelName: 'Place', isRequired: true }] },
          {
            name: 'Means of transport',
            features: [],
            children: [{ name: 'Speed', children: [], features: [isNumber] }],
          },
        ],
      },
    ],
    hierarchicals: [],
    patternAnyEntities: [{ name: 'Title', roles: [], explicitList: [] }],
    regex_features: [],
    utterances: [
      ...utterances.map((one) => ({ ...one, entities: one.entities.filter(({ entity }) => !entity.includes('::')) })),
      { text: 'a {b} [c] (d|e) \\ f', intent: 'Book', entities: [] },
      {
        text: 'two for Ada',
        intent: 'Book',
        entities: [
          { entity: 'Order', startPos: 0, endPos: 10 },
          { entity: 'Person', startPos: 8, endPos: 10 },
        ],
      },
    ],
  }
}

test.each(Array.from({ length: 15 }, (_, number) => number))(
  'generated app %i is the same after .lu and back',
  (number) => {
    const document = sayable(number)
    expect(sorted(andBack(document))).toEqual(sorted(there(document)))
  },
)

test('an app is exported as text, which is imported again; what .lu cannot say is refused by name', async () => {
  await using app = await start()
  const { apps, versions } = await callersOf(app)
  const { body: appId } = await apps.import({ body: fileOf(sayable(4)) })
  const exported = await versions.export({ params: { appId, versionId: '0.4' }, query: { format: 'lu' } })
  const text = Buffer.from(exported.body as unknown as Uint8Array).toString()
  expect(text).toContain('# Book\n- book a {@Trip=trip by car to {@Target=Oslo}}')
  await apps.import({ query: { appName: 'Again' }, body: fileOf(text) })
  const { body: whole } = await apps.import({ body: fileOf(generatedApp(5)) })
  await expect(
    versions.export({ params: { appId: whole, versionId: '0.5' }, query: { format: 'lu' } }),
  ).rejects.toMatchObject({
    status: 400,
    body: { error: { message: expect.stringContaining("the hierarchical entity 'Way'") } },
  })
})

test.each([
  ["labels that cross each other in 'a b c'", { utterances: [crossing()] }],
  ["that 'plain words' is a pattern", { patterns: [{ pattern: 'plain words', intent: 'Book' }] }],
  ["the name 'A, B'", { phraselists: [{ name: 'A, B', mode: true, words: '', activated: true }] }],
])('%s cannot be said', (message, part) => {
  const document = { ...sayable(1), ...part }
  expect(() => writeLu(readApp(document))).toThrow(message)
})

function crossing() {
  return {
    text: 'a b c',
    intent: 'Book',
    entities: [
      { entity: 'Person', startPos: 0, endPos: 2 },
      { entity: 'Place', startPos: 2, endPos: 4 },
    ],
  }
}

test('a sentence of brackets is read in a time that grows with its length', () => {
  const lines = Array.from({ length: 200 }, () => `- ${'(|'.repeat(3_900)}`)
  const began = performance.now()
  parseLu(['# A', ...lines].join('\n'))
  // Expressions that look for a choice in brackets took a minute for a line of this length.
  expect(performance.now() - began).toBeLessThan(20_000)
})
