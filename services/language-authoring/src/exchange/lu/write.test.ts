import { expect, test } from 'vitest'
import type { AppDocument, Label } from '../../engine/document.ts'
import { callersOf, fileOf, start } from '../../testing/app.ts'
import { generatedApp } from '../../testing/documents.ts'
import { readApp } from '../read.ts'
import { writeApp } from '../write.ts'
import { parseLu } from './parse.ts'
import { writeLu } from './write.ts'

const throughJson = (document: object) => writeApp(readApp(document)) as unknown as AppDocument
const throughLu = (document: object) => throughJson(parseLu(writeLu(readApp(document))) as object)

/** Ignores the order of utterances and labels, which .lu changes. */
function sorted({ utterances, ...rest }: AppDocument) {
  const key = (value: object) => JSON.stringify(value)
  const by = (a: object, b: object) => (key(a) < key(b) ? -1 : 1)
  const labels = (all: readonly Label[]): Label[] => all.toSorted(by)
  return {
    ...rest,
    utterances: utterances.map((utterance) => ({ ...utterance, entities: labels(utterance.entities) })).sort(by),
  }
}

/** A generated app without features that .lu lacks. */
const expressible = (number: number) => {
  const isNumber = { modelName: 'number', isRequired: true }
  const { entities, intents, utterances, ...app } = generatedApp(number) as unknown as AppDocument
  const [person, trip] = entities
  return {
    ...app,
    intents: intents.map((intent) => ({
      ...intent,
      features: intent.features?.map(({ isRequired: _, ...feature }) => feature),
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
      ...utterances.map((utterance) => ({
        ...utterance,
        entities: utterance.entities.filter(({ entity }) => !entity.includes('::')),
      })),
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
  'generated app %i survives a round trip through .lu',
  (number) => {
    const document = expressible(number)
    expect(sorted(throughLu(document))).toEqual(sorted(throughJson(document)))
  },
)

test('an app is exported as .lu and imported again; features that .lu lacks are refused', async () => {
  await using app = await start()
  const { apps, versions } = await callersOf(app)
  const { body: appId } = await apps.import({ body: fileOf(expressible(4)) })
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
  ["overlapping labels in 'a b c'", { utterances: [crossing()] }],
  ["'plain words' as a pattern", { patterns: [{ pattern: 'plain words', intent: 'Book' }] }],
  ["the name 'A, B'", { phraselists: [{ name: 'A, B', mode: true, words: '', activated: true }] }],
])('%s cannot be expressed', (message, part) => {
  const document = { ...expressible(1), ...part }
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

test('a sentence of brackets is parsed in linear time', () => {
  const lines = Array.from({ length: 200 }, () => `- ${'(|'.repeat(3_900)}`)
  const start = performance.now()
  parseLu(['# A', ...lines].join('\n'))
  // A regular expression for alternatives took a minute for a line of this length.
  expect(performance.now() - start).toBeLessThan(20_000)
})
