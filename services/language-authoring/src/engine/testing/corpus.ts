import type { AppDocument, Label, Utterance } from '../document.ts'
import { Random } from '../text/random.ts'

export function emptyApp(parts: Partial<AppDocument> = {}): AppDocument {
  return {
    luis_schema_version: '7.0.0',
    versionId: '0.1',
    name: 'generated',
    desc: '',
    culture: 'en-us',
    tokenizerVersion: '1.0.0',
    intents: [{ name: 'None' }],
    entities: [],
    hierarchicals: [],
    composites: [],
    closedLists: [],
    patternAnyEntities: [],
    regex_entities: [],
    prebuiltEntities: [],
    phraselists: [],
    regex_features: [],
    patterns: [],
    utterances: [],
    settings: [],
    ...parts,
  }
}

/** Parses a labelled sentence: "fly to {to=Cairo}", or nested: {order={size=small} pizza}. */
export function labelled(intent: string, marked: string): Utterance {
  const parse = (from: number, closing: boolean): { text: string; labels: Label[]; at: number } => {
    let at = from
    let text = ''
    const labels: Label[] = []
    while (at < marked.length && !(closing && marked[at] === '}')) {
      if (marked[at] !== '{') {
        text += marked[at++]
        continue
      }
      const equals = marked.indexOf('=', at)
      const [entity = '', role] = marked.slice(at + 1, equals).split('@')
      const inner = parse(equals + 1, true)
      const startPos = text.length
      const shifted = (label: Label): Label => ({
        ...label,
        startPos: label.startPos + startPos,
        endPos: label.endPos + startPos,
        ...(label.children ? { children: label.children.map(shifted) } : {}),
      })
      text += inner.text
      const children = inner.labels.map(shifted)
      labels.push({
        entity,
        startPos,
        endPos: text.length - 1,
        ...(role ? { role } : {}),
        ...(children.length > 0 ? { children } : {}),
      })
      at = inner.at + 1
    }
    return { text, labels, at }
  }
  const { text, labels } = parse(0, false)
  return { text, intent, entities: labels }
}

// Words for random sentences.
const verbs =
  'open close start stop find show move send read write check book cancel change add remove count sort print save'.split(
    ' ',
  )
const items =
  'door lamp order ticket letter report table engine garden window camera folder invoice meeting parcel budget contract picture battery schedule server recipe'.split(
    ' ',
  )
const places =
  'kitchen office cellar harbour station library market museum airport school tower bridge valley island forest'.split(
    ' ',
  )
const openings = [
  'please',
  'could you',
  'i want to',
  'now',
  'can we',
  'i need to',
  'go and',
  'help me',
  'let us',
  'would you',
]
const endings = ['', 'today', 'for me', 'right away', 'once more', 'if you can', 'as before', 'quickly']
const syllables = 'ba ko ri tu len mar sol vi den ta no pel gor zan mi rus fa lo'.split(' ')

export interface CorpusSize {
  intents: number
  utterances: number
  entities: number
}

/**
 * Generates an app with random sentences from word lists. An intent is a verb with one or two things; an entity is a kind of place,
 * after words of its own.
 */
export function generatedApp(size: CorpusSize, seed = 1): AppDocument {
  const random = new Random(seed)
  const pick = <Value>(values: readonly Value[]): Value => values[random.below(values.length)] as Value
  const name = () => Array.from({ length: 2 + random.below(2) }, () => pick(syllables)).join('')
  const entities = Array.from({ length: size.entities }, (_, i) => ({
    name: `entity${i}`,
    roles: [],
    sign: `${pick(places)} ${i}`,
  }))
  const intents = Array.from({ length: size.intents }, (_, i) => ({
    name: i === 0 ? 'None' : `intent${i}`,
    verb: pick(verbs),
    thing: pick(items),
    second: `${name()}${i % 7}`,
  }))
  const utterances: Utterance[] = []
  for (const intent of intents)
    for (let n = 0; n < size.utterances; n++) {
      const words = [pick(openings), intent.verb, random.next() < 0.8 ? `the ${intent.thing}` : 'it', intent.second]
      if (entities.length > 0 && random.next() < 0.5) {
        const entity = pick(entities)
        words.push(`in ${entity.sign} {${entity.name}=${name()}${random.next() < 0.3 ? ` ${name()}` : ''}}`)
      }
      words.push(pick(endings))
      utterances.push(labelled(intent.name, words.filter((word) => word !== '').join(' ')))
    }
  return emptyApp({
    intents: intents.map((intent) => ({ name: intent.name })),
    entities: entities.map((entity) => ({ name: entity.name, roles: [] })),
    utterances,
  })
}
