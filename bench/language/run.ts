/**
 * How well the engine understands: node bench/language/run.ts DIR, where DIR has clinc150/data_full.json and snips/ (public
 * corpora, not part of this project). --node-nlp FOLDER compares with node-nlp, which is no part of it either:
 * npm install --prefix FOLDER node-nlp. BENCH_PARTS=clinc,snips chooses, BENCH_SAMPLES makes it shorter.
 */
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
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
const percent = (share: number): string => `${(100 * share).toFixed(1)} %`
const mean = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0) / numbers.length
const row = (cells: readonly (string | number)[]) => console.log(`| ${cells.join(' | ')} |`)
const rule = (columns: number) => console.log(`|${'---|'.repeat(columns)}`)
const load = () => console.log(`\nload average ${loadavg()[0]?.toFixed(1)}\n`)

if (parts.has('clinc')) {
  const data = readClinc(folder)
  const rival = nodeNlp(values['node-nlp'] ?? import.meta.dirname)
  const contenders: Contender[] = [
    ours('ours, words and characters only', 'xx'),
    ours('ours, with sentence vectors', 'en-us'),
    ...(rival ? [rival] : []),
  ]
  if (!rival) console.log('node-nlp is not there: npm install --prefix FOLDER node-nlp, and then --node-nlp FOLDER\n')
  console.log(
    'CLINC150: 150 intents x 100 and 100 out of scope to learn from; the threshold is chosen on the validation part\n',
  )
  const atThreshold = ['at the threshold', 'out of scope found', 'threshold']
  row(['engine', 'right', 'out of scope found', ...atThreshold, 'training, CPU', 'a query, CPU'])
  rule(8)
  for (const contender of contenders) {
    const { accuracy, found, inScope, outOfScope, threshold, trainSeconds, msPerQuery } = await measure(contender, data)
    const speed = [`${trainSeconds.toFixed(0)} s`, `${msPerQuery.toFixed(1)} ms`]
    const shares = [accuracy, found, inScope, outOfScope].map(percent)
    row([contender.name, ...shares, threshold, ...speed])
  }
  load()
}

if (parts.has('snips')) {
  const samples = Number(process.env.BENCH_SAMPLES ?? 3)
  const counts = [10, 70]
  const columns = counts.flatMap((count) => [`${count} queries`, "the original's", 'the best'])
  const all: number[][] = columns.map(() => [])
  console.log(`Snips: mean F1 over slots and ${samples} samples of queries to learn from; recorded results beside it\n`)
  row(['intent', ...columns])
  rule(columns.length + 1)
  for (const intent of snipsIntents(folder)) {
    const cells: number[] = []
    for (const count of counts) {
      const scores: number[] = []
      for (let sample = 0; sample < samples; sample++) scores.push(await slotF1(folder, intent, count, sample))
      cells.push(mean(scores), recorded(folder, 'Luis', intent, count), recorded(folder, 'Snips', intent, count))
    }
    cells.forEach((cell, column) => void all[column]?.push(cell))
    row([intent, ...cells.map((cell) => cell.toFixed(3))])
  }
  row(['**mean**', ...all.map((column) => mean(column).toFixed(3))])
  load()
}
