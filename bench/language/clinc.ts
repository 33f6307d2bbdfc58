import { readFileSync } from 'node:fs'
import { loadModel, predict, train } from '../../services/language-authoring/src/engine/index.ts'
import { emptyApp } from '../../services/language-authoring/src/engine/testing/corpus.ts'

type Pair = [text: string, intent: string]

export interface Clinc {
  train: Pair[]
  val: Pair[]
  test: Pair[]
  oos_train: Pair[]
  oos_val: Pair[]
  oos_test: Pair[]
}

/** Out-of-scope queries get the intent None, as authors label them. */
export function readClinc(folder: string): Clinc {
  const parts = JSON.parse(readFileSync(`${folder}/clinc150/data_full.json`, 'utf8')) as Clinc
  const renamed = Object.entries(parts).map(([part, pairs]: [string, Pair[]]) => [
    part,
    pairs.map(([text, intent]): Pair => [text, intent === 'oos' ? none : intent]),
  ])
  return Object.fromEntries(renamed) as Clinc
}

/** Prediction of an engine: the best intent, possibly None, with its score. */
export interface Guess {
  intent: string
  score: number
}

export interface Contender {
  name: string
  train(pairs: readonly Pair[]): Promise<void>
  guess(text: string): Promise<Guess> | Guess
}

export const none = 'None'

/** Our engine, complete or without sentence vectors, which exist for English only. */
export function ours(name: string, culture: string): Contender & { bytes: number } {
  let model: ReturnType<typeof loadModel> | undefined
  const contender = {
    name,
    bytes: 0,
    async train(pairs: readonly Pair[]) {
      const intents = [...new Set(pairs.map(([, intent]) => intent))].sort().map((intent) => ({ name: intent }))
      const utterances = pairs.map(([text, intent]) => ({ text, intent, entities: [] }))
      const bytes = await train(emptyApp({ culture, intents, utterances }))
      contender.bytes = bytes.length
      model = loadModel(bytes)
    },
    guess(text: string): Guess {
      if (!model) throw new Error('not trained')
      const { topIntent, intents } = predict(model, { query: text })
      return { intent: topIntent, score: intents[0]?.score ?? 0 }
    },
  }
  return contender
}

export interface Figures {
  trainSeconds: number
  threshold: number
  /** Without a threshold. */
  accuracy: number
  found: number
  /** With the threshold: in-scope queries below it count as wrong. */
  inScope: number
  outOfScope: number
  msPerQuery: number
}

export async function measure(contender: Contender, data: Clinc): Promise<Figures> {
  const begun = process.cpuUsage()
  await contender.train([...data.train, ...data.oos_train])
  const trainSeconds = (process.cpuUsage(begun).user + process.cpuUsage(begun).system) / 1e6
  const all = async (pairs: readonly Pair[]) => {
    const guesses: (Guess & { truth: string })[] = []
    for (const [text, truth] of pairs) guesses.push({ ...(await contender.guess(text)), truth })
    return guesses
  }
  const val = await all(data.val)
  const cpuAtStart = process.cpuUsage()
  const [test, oosTest] = [await all(data.test), await all(data.oos_test)]
  const msPerQuery = process.cpuUsage(cpuAtStart).user / 1000 / (test.length + oosTest.length)
  type Judged = Awaited<ReturnType<typeof all>>
  const right = (guesses: Judged, threshold: number) =>
    guesses.filter(({ intent, score, truth }) => (score < threshold ? none : intent) === truth).length / guesses.length
  const thresholds = Array.from({ length: 100 }, (_, i) => i / 100)
  const best = Math.max(...thresholds.map((threshold) => right(val, threshold)))
  // The highest threshold that costs at most 0.3 points on the validation part.
  const threshold = Math.max(...thresholds.filter((candidate) => right(val, candidate) >= best - 0.003))
  return {
    trainSeconds,
    threshold,
    accuracy: right(test, 0),
    found: right(oosTest, 0),
    inScope: right(test, threshold),
    outOfScope: right(oosTest, threshold),
    msPerQuery,
  }
}
