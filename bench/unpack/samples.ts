/** Table of the samples that are restored to their unpacked form: `node bench/unpack/samples.ts`. */
import { Workshop } from '../../services/unpack-analysis/src/testing/build.ts'
import { openTestEngine } from '../../services/unpack-analysis/src/testing/engine.ts'
import { type Fit, fitOf } from '../../services/unpack-analysis/src/testing/fit.ts'
import {
  linuxStubSamples,
  linuxUpxSamples,
  type PackedSample,
  stubSamples,
  upxSamples,
} from '../../services/unpack-analysis/src/testing/samples.ts'
import { record } from '../figures.ts'

using workshop = new Workshop()
const engine = openTestEngine()
const groups: readonly (readonly [string, () => Iterable<PackedSample>])[] = [
  ['PE x86', () => upxSamples(workshop, 32)],
  ['PE x86', () => stubSamples(workshop, 32)],
  ['PE x64', () => upxSamples(workshop, 64)],
  ['PE x64', () => stubSamples(workshop, 64)],
  ['ELF x64', () => linuxUpxSamples(workshop, false)],
  ['ELF x64', () => linuxStubSamples(workshop)],
]
const shown = (is: boolean) => (is ? 'yes' : '**no**')
const isSolved = ({ entry, code, imports }: Fit) => entry && code && imports
let count = 0
let solved = 0
console.log('| format | packed by | entry point exact | `.text` equal | imports restored | layers |')
console.log('|---|---|---|---|---|---|')
for (const [format, samples] of groups)
  for (const sample of samples()) {
    const analysis = await engine.one(sample.packed)
    const fit = fitOf(sample, analysis)
    count++
    if (isSolved(fit)) solved++
    console.log(
      `| ${format} | ${sample.name} | ${shown(fit.entry)} | ${shown(fit.code)} | ${shown(fit.imports)} | ${analysis.report.layers.length} |`,
    )
  }
record([{ name: 'packed samples restored', value: solved, unit: `of ${count}` }])
await engine.close()
