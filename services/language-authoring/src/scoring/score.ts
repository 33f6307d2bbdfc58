export interface LabelledUtterance {
  readonly text: string
  readonly intent: string
  readonly entities: readonly { readonly entity: string; readonly startPos: number; readonly endPos: number }[]
}

/** The app's prediction for an utterance. */
export interface Predicted {
  readonly intent: string
  readonly entities: readonly { readonly entity: string; readonly startPos: number; readonly endPos: number }[]
}

export interface Score {
  readonly name: string
  /** Number of labelled occurrences. */
  readonly support: number
  readonly precision: number
  readonly recall: number
  readonly f1: number
}

interface Tally {
  correct: number
  predicted: number
  expected: number
}

export interface Report {
  readonly accuracy: number
  readonly intents: readonly Score[]
  readonly entities: readonly Score[]
  /** Counts by expected, then by predicted intent. */
  readonly confusion: ReadonlyMap<string, ReadonlyMap<string, number>>
}

const ratio = (part: number, whole: number) => (whole === 0 ? 0 : part / whole)

function scoresOf(tallies: ReadonlyMap<string, Tally>): Score[] {
  return [...tallies]
    .map(([name, { correct, predicted, expected }]) => {
      const [precision, recall] = [ratio(correct, predicted), ratio(correct, expected)]
      return { name, support: expected, precision, recall, f1: ratio(2 * precision * recall, precision + recall) }
    })
    .toSorted((a, b) => a.name.localeCompare(b.name))
}

/** An entity is correct if its name and its exact range match. */
export function score(labelled: readonly LabelledUtterance[], predictions: readonly Predicted[]): Report {
  const intents = new Map<string, Tally>()
  const entities = new Map<string, Tally>()
  const confusion = new Map<string, Map<string, number>>()
  const tally = (tallies: Map<string, Tally>, name: string) => {
    const current = tallies.get(name) ?? { correct: 0, predicted: 0, expected: 0 }
    tallies.set(name, current)
    return current
  }
  const keyOf = ({ entity, startPos, endPos }: LabelledUtterance['entities'][number]) =>
    `${startPos} ${endPos} ${entity}`
  let correct = 0
  for (const [index, { intent, entities: labels }] of labelled.entries()) {
    const prediction = predictions[index] as Predicted
    tally(intents, intent).expected++
    tally(intents, prediction.intent).predicted++
    if (intent === prediction.intent) {
      correct++
      tally(intents, intent).correct++
    }
    const row = confusion.get(intent) ?? new Map<string, number>()
    confusion.set(intent, row.set(prediction.intent, (row.get(prediction.intent) ?? 0) + 1))
    const expected = new Set(labels.map(keyOf))
    for (const { entity } of labels) tally(entities, entity).expected++
    for (const label of prediction.entities) {
      tally(entities, label.entity).predicted++
      if (expected.has(keyOf(label))) tally(entities, label.entity).correct++
    }
  }
  return {
    accuracy: ratio(correct, labelled.length),
    intents: scoresOf(intents),
    entities: scoresOf(entities),
    confusion,
  }
}
