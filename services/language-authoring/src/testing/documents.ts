/** Generated apps with every feature of the file format. */

const places = ['Oslo', 'Rome', 'Lima', 'Cairo', 'Quito', 'Perth']
const verbs = ['fly', 'sail', 'drive', 'walk']

export interface Generated {
  readonly luis_schema_version: string
  readonly name: string
  readonly culture: string
  readonly utterances: readonly {
    readonly text: string
    readonly intent: string
    readonly entities: readonly object[]
  }[]
  readonly [field: string]: unknown
}

/** The number determines sizes, roles, children and words. */
export function generatedApp(number: number): Generated {
  const count = 2 + (number % 4)
  const intents = ['None', 'Book', ...Array.from({ length: count }, (_, i) => `Do ${verbs[i % 4]} ${i}`)]
  return {
    luis_schema_version: '7.0.0',
    versionId: `0.${number}`,
    name: `Generated ${number}`,
    desc: number % 2 === 0 ? '' : `App ${number}, made for a test`,
    culture: 'en-us',
    tokenizerVersion: '1.0.0',
    intents: intents.map((name, i) => ({
      name,
      features: i === 1 ? [{ featureName: 'moves', isRequired: number % 2 === 0 }, { modelName: 'Place' }] : [],
    })),
    entities: [
      { name: 'Person', children: [], roles: ['guest', 'host'].slice(0, number % 3), features: [] },
      {
        name: 'Trip',
        roles: [],
        features: [{ featureName: 'moves' }],
        children: [
          { name: 'Target', instanceOf: 'Place', children: [], features: [{ modelName: 'Place', isRequired: true }] },
          {
            name: 'Means',
            children: [{ name: 'Speed', instanceOf: 'number', children: [], features: [] }],
            features: [],
          },
        ],
      },
    ],
    hierarchicals: [{ name: 'Way', children: [{ name: 'From' }, { name: 'To' }], roles: [], features: [] }],
    composites: [{ name: 'Order', children: [{ name: 'Person' }, { name: 'number' }], roles: ['big'], features: [] }],
    closedLists: [
      {
        name: 'Place',
        roles: ['there', 'back'],
        subLists: places.slice(0, count).map((canonicalForm) => ({ canonicalForm, list: [`${canonicalForm} city`] })),
      },
    ],
    patternAnyEntities: [{ name: 'Title', roles: [], explicitList: ['The Way Home'].slice(0, number % 2) }],
    regex_entities: [{ name: 'Flight', regexPattern: '[A-Z]{2}[0-9]{2,4}', roles: ['first'] }],
    prebuiltEntities: [
      { name: 'number', roles: [] },
      { name: 'datetimeV2', roles: ['leaving', 'coming'] },
    ],
    phraselists: [
      { name: 'moves', mode: true, words: verbs.join(','), activated: true, enabledForAllModels: false },
      { name: 'places', mode: false, words: places.join(','), activated: number % 2 === 0, enabledForAllModels: true },
    ],
    regex_features: [{ name: 'codes', pattern: '[A-Z]{2}', activated: true }],
    patterns: [
      { pattern: '[please] (read|open) {Title} [now]', intent: 'Book' },
      { pattern: 'to {Place:there} on {datetimeV2:leaving}', intent: 'Book' },
    ],
    utterances: utterancesOf(number, intents),
    settings: [{ name: 'UseAllTrainingData', value: 'true' }],
  }
}

function utterancesOf(number: number, intents: readonly string[]) {
  const plain = intents
    .slice(2)
    .flatMap((intent, i) =>
      places.map((place) => ({ text: `${verbs[i % 4]} around ${place} ${i}`, intent, entities: [] })),
    )
  const bookings = places.slice(0, 3 + (number % 3)).map((place) => {
    const text = `book a trip by car to ${place}`
    const start = text.indexOf(place)
    const end = text.length - 1
    return {
      text,
      intent: 'Book',
      entities: [
        {
          entity: 'Trip',
          startPos: 7,
          endPos: end,
          children: [{ entity: 'Target', startPos: start, endPos: end }],
        },
        { entity: 'Way::To', startPos: start, endPos: end },
      ],
    }
  })
  const guest = number % 3 === 0 ? {} : { role: 'guest' }
  return [
    ...plain,
    ...bookings,
    { text: 'a table for Ada', intent: 'Book', entities: [{ entity: 'Person', startPos: 12, endPos: 14, ...guest }] },
    { text: 'what is the weather like', intent: 'None', entities: [] },
  ]
}
