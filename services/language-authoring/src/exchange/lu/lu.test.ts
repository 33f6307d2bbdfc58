import { expect, test } from 'vitest'
import { callersOf, fileOf, start } from '../../testing/app.ts'
import { parseLu } from './parse.ts'

const file = `> A comment.
> !# @app.name = Travel
> !# @app.culture = en-us

# Book
- book a {@Trip=flight to {@Target=Rome}}
- a table for {@Person:guest=Ada}
- [please] open {Title} (now|later)

# None
- hello there

@ ml Trip usesFeature moves
    - @ ml Target
        - @ number Floor

@ ml Person hasRoles host

@ list Place hasRoles there, back =
    - Oslo :
        - Christiania
        - capital of Norway
    - Rome :

@ regex Flight = /[A-Z]{2}[0-9]+/
@ prebuilt number
@ patternany Title
@ composite Order = [Person, number]
@ phraselist moves(interchangeable) =
    - fly, sail
    - drive

@ intent Book usesFeatures moves
`

test('a .lu file is imported like the equivalent JSON file', async () => {
  await using app = await start()
  const { apps, versions } = await callersOf(app)
  const { body: appId } = await apps.import({ body: fileOf(file) })
  const { body } = await versions.export({ params: { appId, versionId: '0.1' } })
  expect(body).toMatchObject({
    name: 'Travel',
    intents: [
      { name: 'Book', features: [{ featureName: 'moves' }] },
      { name: 'None', features: [] },
    ],
    entities: [
      {
        name: 'Trip',
        features: [{ featureName: 'moves' }],
        children: [
          { name: 'Target', children: [{ name: 'Floor', features: [{ modelName: 'number', isRequired: true }] }] },
        ],
      },
      { name: 'Person', roles: ['host', 'guest'] },
    ],
    closedLists: [
      {
        name: 'Place',
        roles: ['there', 'back'],
        subLists: [
          { canonicalForm: 'Oslo', list: ['Christiania', 'capital of Norway'] },
          { canonicalForm: 'Rome', list: [] },
        ],
      },
    ],
    regex_entities: [{ name: 'Flight', regexPattern: '[A-Z]{2}[0-9]+' }],
    composites: [{ name: 'Order', children: [{ name: 'Person' }, { name: 'number' }] }],
    phraselists: [{ name: 'moves', words: 'fly, sail,drive' }],
    patterns: [{ pattern: '[please] open {Title} (now|later)', intent: 'Book' }],
    utterances: [
      {
        text: 'book a flight to Rome',
        entities: [
          { entity: 'Trip', startPos: 7, endPos: 20, children: [{ entity: 'Target', startPos: 17, endPos: 20 }] },
        ],
      },
      { text: 'a table for Ada', entities: [{ entity: 'Person', role: 'guest', startPos: 12, endPos: 14 }] },
      { text: 'hello there', intent: 'None', entities: [] },
    ],
  })
})

test.each(['hello', '# A\n- {@x=1', '@ strange X', '# A\n- a\n@ regex R = nothing', '@ ml A\n  what'])(
  'invalid text is refused: %j',
  (text) => {
    expect(() => parseLu(text)).toThrow(/[Ll]ine \d|no expression/)
  },
)

test('many definitions take linear time', () => {
  const start = process.cpuUsage()
  parseLu(`> !# @app.culture = en-us\n${'@ ml A\n'.repeat(60_000)}`)
  const seconds = process.cpuUsage(start).user / 1e6
  expect(seconds, 'copying all lines for each takes minutes').toBeLessThan(20)
})
