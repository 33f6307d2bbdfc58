/**
 * Writes baseline.bin, the common content of clean programs, which rules must not match: strings shared by several programs
 * of this machine, names of Windows functions, and code that mingw-w64 adds to every program: `node build-baseline.ts`.
 */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { imageOf, parsePe } from '../src/engine/pe/parse.ts'
import functionTables from '../src/engine/windows/arguments.json' with { type: 'json' }
import { Baseline, gramSize, textEntry } from '../src/rules/baseline.ts'
import { textsIn } from '../src/rules/texts.ts'
import { Workshop } from '../src/testing/build.ts'

const filterBytes = 256 * 1024
const maxTexts = 250_000
const minLength = 5

const baseline = new Baseline(new Uint8Array(filterBytes))
const sharedBy = new Map<string, number>()

function programs(): string[] {
  return ['/usr/bin', '/usr/sbin', '/usr/lib/x86_64-linux-gnu']
    .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
    .filter((path) => {
      const stat = statSync(path, { throwIfNoEntry: false })
      return stat?.isFile() === true && stat.size < 8 * 2 ** 20 && readFileSync(path).toString('latin1', 1, 4) === 'ELF'
    })
}

for (const path of programs()) {
  const own = new Set<string>()
  for (const { text } of textsIn(readFileSync(path), minLength)) own.add(text.toLowerCase())
  for (const text of own) sharedBy.set(text, (sharedBy.get(text) ?? 0) + 1)
}
const shared = [...sharedBy].filter(([, count]) => count > 1).sort(([, a], [, b]) => b - a)
for (const [text] of shared.slice(0, maxTexts)) baseline.add(textEntry(text))
for (const table of Object.values(functionTables))
  for (const name of Object.values(table).join(' ').split(' ')) baseline.add(textEntry(name))

using workshop = new Workshop()
let grams = 0
for (const bits of [32, 64] as const)
  for (const options of [[], ['-O0'], ['-mwindows']] as const) {
    const file = workshop.compile(
      bits,
      '#include <stdio.h>\nint main(void) { puts("x"); printf("%f", 1.5); return 0; }',
      ...options,
    )
    for (const { text } of textsIn(file, minLength)) baseline.add(textEntry(text))
    const pe = parsePe(file)
    const image = imageOf(file, pe)
    for (const { address, virtualSize } of pe.sections.filter(({ flags }) => (flags & 0x2000_0000) !== 0))
      for (let at = address; at + gramSize <= address + virtualSize; at++, grams++)
        baseline.add(image.subarray(at, at + gramSize))
  }

const set = baseline.bits.reduce((sum, byte) => sum + byte.toString(2).replaceAll('0', '').length, 0)
writeFileSync(new URL('baseline.bin', import.meta.url), baseline.bits)
console.log(
  `${Math.min(shared.length, maxTexts)} texts, ${grams} pieces of code; ${((100 * set) / (8 * filterBytes)).toFixed(0)} % of the bits are set`,
)
