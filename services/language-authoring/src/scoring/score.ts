/** An utterance of which is known what it means. */
export interface Known {
  readonly text: string
  readonly intent: string
  readonly entities: readonly { readonly entity: string; readonly startPos: number; readonly endPos: number }[]
}

/** What an app made of it. */
export interface Answered {
  readonly intent: string
  readonly entities: readonly { readonly entity: string; readonly startPos: number; readonly endPos: number }[]
}

export interface Score {
  readonly name: string
  /** How often it was meant. */
  readonly support: number
  readonly precision: number
  readonly recall: number
  readonly f1: number
}

interface Tally {
  right: number
  found: number
  meant: number
}

export interface Report {
  readonly accuracy: number
  readonly intents: readonly Score[]
  readonly entities: readonly Score[]
  /** How often one intent was taken for another: by what was meant, then by what was answered. */
  readonly confusion: ReadonlyMap<string, ReadonlyMap<string, number>>
}

const ratio = (part: number, whole: number) => (whole === 0 ? 0 : part / whole)

function scoresOf(tallies: ReadonlyMap<string, Tally>): Score[] {
  return [...tallies]
    .map(([name, { right, found, meant }]) => {
      const [precision, recall] = [ratio(right, found), ratio(right, meant)]
      return { name, support: meant, precision, recall, f1: ratio(2 * precision * recall, precision + recall) }
    })
    .toSorted((one, other) => one.name.localeCompare(other.name))
}

/** An entity is right if it is the one that was meant, from its first to its last character. */
export function score(known: readonly Known[], answered: readonly Answered[]): Report {
  const intents = new Map<string, Tally>()
  const entities = new Map<string, Tally>()
  const confusion = new Map<string, Map<string, number>>()
  const tally = (of: Map<string, Tally>, name: string) => {
    const found = of.get(name) ?? { right: 0, found: 0, meant: 0 }
    of.set(name, found)
    return found
  }
  const keyOf = ({ entity, startPos, endPos }: Known['entities'][number]) => `${startPos} ${endPos} ${entity}`
  let right = 0
  for (const [index, { intent, entities: labels }] of known.entries()) {
    const answer = answered[index] as Answered
    tally(intents, intent).meant++
    tally(intents, answer.intent).found++
    if (intent === answer.intent) {
      right++
      tally(intents, intent).right++
    }
    const row = confusion.get(intent) ?? new Map<string, number>()
    confusion.set(intent, row.set(answer.intent, (row.get(answer.intent) ?? 0) + 1))
    const meant = new Set(labels.map(keyOf))
    for (const { entity } of labels) tally(entities, entity).meant++
    for (const found of answer.entities) {
      tally(entities, found.entity).found++
      if (meant.has(keyOf(found))) tally(entities, found.entity).right++
    }
  }
  return { accuracy: ratio(right, known.length), intents: scoresOf(intents), entities: scoresOf(entities), confusion }
}
