import { readdirSync, readFileSync } from 'node:fs'
import type { Utterance } from '../../services/language-authoring/src/engine/document.ts'
import { loadModel, predict, train } from '../../services/language-authoring/src/engine/index.ts'
import { emptyApp } from '../../services/language-authoring/src/engine/testing/corpus.ts'
import { Random } from '../../services/language-authoring/src/engine/text/random.ts'

interface Query {
  data: { text: string; entity?: string }[]
}

function read(folder: string, part: 'train' | 'validate', intent: string): Utterance[] {
  const file = readFileSync(`${folder}/snips/${intent}/${part}_${intent}.json`)
  const queries = (JSON.parse(new TextDecoder().decode(file)) as Record<string, Query[]>)[intent] ?? []
  return queries.map(({ data }) => {
    let text = ''
    const entities: Utterance['entities'] = []
    for (const { text: part, entity } of data) {
      if (entity) entities.push({ entity, startPos: text.length, endPos: text.length + part.length - 1 })
      text += part
    }
    return { text, intent, entities }
  })
}

/** Mean F1 over the slots of an intent; a slot is correct if its name and both bounds are. */
export async function slotF1(folder: string, intent: string, queries: number, sample: number): Promise<number> {
  const all = read(folder, 'train', intent)
  const order = Int32Array.from(all.keys())
  new Random(100 + sample).shuffle(order)
  const utterances = [...order.slice(0, queries)].map((i) => all[i] as Utterance)
  const slots = [...new Set(all.flatMap(({ entities }) => entities.map(({ entity }) => entity)))].sort()
  const app = emptyApp({
    intents: [{ name: 'None' }, { name: intent }],
    entities: slots.map((name) => ({ name, roles: [] })),
    utterances,
  })
  const model = loadModel(await train(app))
  const counts = new Map(slots.map((slot) => [slot, { right: 0, found: 0, there: 0 }]))
  for (const { text, entities } of read(folder, 'validate', intent)) {
    const trimmed = (start: number, end: number) => {
      const piece = text.slice(start, end)
      return `${start + piece.length - piece.trimStart().length} ${end - (piece.length - piece.trimEnd().length)}`
    }
    const truth = new Set(entities.map(({ entity, startPos, endPos }) => `${entity} ${trimmed(startPos, endPos + 1)}`))
    for (const { entity } of entities) count(counts, entity).there++
    for (const { name, start, length } of predict(model, { query: text }).entities) {
      count(counts, name).found++
      if (truth.has(`${name} ${trimmed(start, start + length)}`)) count(counts, name).right++
    }
  }
  const scores = [...counts.values()]
    .filter(({ there }) => there > 0)
    .map(({ right, found, there }) => (2 * right) / Math.max(1, found + there))
  return scores.reduce((sum, score) => sum + score, 0) / scores.length
}

interface Metrics {
  intents: Record<string, { slots: Record<string, Record<'precision' | 'recall', Record<string, (number | null)[]>>> }>
}

/** The same mean from another engine's published results; without any match, precision is undefined and F1 is 0. */
export function recorded(folder: string, engine: 'Luis' | 'Snips', intent: string, queries: number): number {
  const file = readFileSync(`${folder}/snips/${intent}/${engine}_metrics.json`, 'utf8').replaceAll('NaN', 'null')
  const slots = Object.values((JSON.parse(file) as Metrics).intents[intent]?.slots ?? {})
  const scores = slots.flatMap(({ precision, recall }) =>
    (precision[queries] ?? []).map((found, sample) => {
      const [p, r] = [found ?? 0, recall[queries]?.[sample] ?? 0]
      return p + r === 0 ? 0 : (2 * p * r) / (p + r)
    }),
  )
  return scores.reduce((sum, score) => sum + score, 0) / scores.length
}

function count(counts: Map<string, { right: number; found: number; there: number }>, name: string) {
  const tally = counts.get(name) ?? { right: 0, found: 0, there: 0 }
  counts.set(name, tally)
  return tally
}

export const snipsIntents = (folder: string): string[] => readdirSync(`${folder}/snips`).sort()
