/**
 * Accuracy of the engine: node bench/language/run.ts DIR, where DIR contains clinc150/data_full.json and snips/
 * (public corpora, not part of this project). --node-nlp FOLDER compares with node-nlp, which is not part of it
 * either: npm install --prefix FOLDER node-nlp. BENCH_PARTS=clinc,snips selects parts, BENCH_SAMPLES shortens the run.
 */
import { parseArgs } from 'node:util'
import { type Figure, record } from '../figures.ts'
import { type Contender, measure, ours, readClinc } from './clinc.ts'
import { nodeNlp } from './rivals.ts'
import { recorded, slotF1, snipsIntents } from './snips.ts'

const { values, positionals } = parseArgs({ allowPositionals: true, options: { 'node-nlp': { type: 'string' } } })
const [folder] = positionals
if (folder === undefined) {
  console.error('Which folder has clinc150/ and snips/? node bench/language/run.ts DIR')
  process.exit(2)
}
const parts = new Set((process.env.BENCH_PARTS ?? 'clinc,snips').split(','))
const mean = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0) / numbers.length
const figures: Figure[] = []

/** Trains with 150 intents x 100 sentences and 100 out of scope; the threshold is chosen on the validation part. */
if (parts.has('clinc')) {
  const data = readClinc(folder)
  const rival = nodeNlp(values['node-nlp'] ?? import.meta.dirname)
  const contenders: Contender[] = [
    ours('ours, words and characters only', 'xx'),
    ours('ours, with sentence vectors', 'en-us'),
    ...(rival ? [rival] : []),
  ]
  if (!rival)
    console.error('node-nlp is not installed: npm install --prefix FOLDER node-nlp, and then --node-nlp FOLDER')
  for (const contender of contenders) {
    const { accuracy, found, inScope, outOfScope, threshold, trainSeconds, msPerQuery } = await measure(contender, data)
    const name = `CLINC150, ${contender.name}`
    figures.push(
      { name: `${name}, right in scope`, value: 100 * accuracy, unit: '%' },
      { name: `${name}, out of scope found`, value: 100 * found, unit: '%' },
      { name: `${name}, threshold`, value: threshold, unit: '' },
      { name: `${name}, right in scope at the threshold`, value: 100 * inScope, unit: '%' },
      { name: `${name}, out of scope found at the threshold`, value: 100 * outOfScope, unit: '%' },
      { name: `${name}, training, CPU`, value: trainSeconds, unit: 's' },
      { name: `${name}, query, CPU`, value: msPerQuery, unit: 'ms' },
    )
  }
}

/** Mean F1 over slots and samples of training queries, compared with published results of others. */
if (parts.has('snips')) {
  const samples = Number(process.env.BENCH_SAMPLES ?? 3)
  const others = { "the original's": 'Luis', 'the best': 'Snips' } as const
  for (const count of [10, 70]) {
    const scores = new Map<string, number[]>()
    const keep = (who: string, score: number) => scores.set(who, [...(scores.get(who) ?? []), score])
    for (const intent of snipsIntents(folder)) {
      const own: number[] = []
      for (let sample = 0; sample < samples; sample++) own.push(await slotF1(folder, intent, count, sample))
      keep('ours', mean(own))
      for (const [who, name] of Object.entries(others)) keep(who, recorded(folder, name, intent, count))
      figures.push({ name: `Snips, ${count} queries, ${intent}, ours, F1`, value: mean(own), unit: '' })
    }
    for (const [who, all] of scores)
      figures.push({ name: `Snips, ${count} queries, mean, ${who}, F1`, value: mean(all), unit: '' })
  }
}
record(figures)
