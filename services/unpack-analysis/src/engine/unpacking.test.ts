import { sized } from '@icosa/testing'
import { afterAll, describe, expect, test } from 'vitest'
import { type Bits, Workshop } from '../testing/build.ts'
import { openTestEngine } from '../testing/engine.ts'
import { packWith } from '../testing/packer.ts'
import { factsOf, textOf } from '../testing/pe-facts.ts'
import { downloader, loader, payloadSource } from '../testing/programs.ts'
import { stubs } from '../testing/stubs.ts'

const workshop = new Workshop()
const engine = openTestEngine()
afterAll(async () => {
  await engine.close()
  workshop[Symbol.dispose]()
})

const originals = { 32: workshop.compile(32, downloader()), 64: workshop.compile(64, downloader()) }
const methods = ['--nrv2b', '--nrv2d', '--nrv2e', '--lzma'] as const

/** Section names and the packer's mark are changed, so that UPX itself would refuse to unpack it. */
function mangled(packed: Buffer): Buffer {
  const copy = Buffer.from(packed)
  for (const [from, to] of [
    ['UPX0', '.qaz'],
    ['UPX1', '.wsx'],
    ['UPX2', '.edc'],
    ['UPX!', 'XYZ?'],
  ] as const)
    for (let at = copy.indexOf(from); at >= 0; at = copy.indexOf(from, at + 1)) copy.write(to, at, 'latin1')
  return copy
}

describe.each([32, 64] as const)('UPX on %i bits', (bits) => {
  test.each(methods)(
    '%s: entry point, code and imports are those of the original',
    async (method) => {
      const packed = workshop.pack(originals[bits], method)
      const names = sized(Number(method === '--nrv2e'), 1) ? [packed, mangled(packed)] : [packed]
      for (const sample of names) {
        const { unpacked, report } = await engine.one(sample)
        expect(report.packer).toMatch(sample === packed ? /^UPX$/ : /^unknown/)
        expect(factsOf(unpacked ?? Buffer.alloc(0), textOf(originals[bits]))).toEqual(factsOf(originals[bits]))
      }
    },
    300_000,
  )
})

/** What came out of a sample that was packed by a stub of our own. */
async function judged(bits: Bits, packed: Buffer): Promise<string> {
  const original = originals[bits]
  const { unpacked, report } = await engine.one(packed)
  if (!unpacked) return report.why ?? 'nothing'
  const [facts, expected] = [factsOf(unpacked, textOf(original)), factsOf(original)]
  if (facts.entry !== expected.entry)
    return `entry point ${facts.entry.toString(16)}, not ${expected.entry.toString(16)}`
  if (facts.code !== expected.code) return 'the code is not that of the original'
  const missing = expected.imports.filter((name) => !facts.imports.includes(name))
  return missing.length === 0 ? 'solved' : `without ${missing.join()}`
}

/** A stub that takes bytes from the entry point keeps them: nobody puts them back. */
const unsolved: Readonly<Record<string, RegExp>> = { 'stolen bytes': /^entry point [0-9a-f]+, not/ }

test('own stubs: what is solved, and what is not', async () => {
  const rows: string[] = []
  let solved = 0
  for (const bits of [32, 64] as const) {
    const samples: [string, Buffer][] = Object.entries(stubs).map(([name, stub]) => [
      name,
      packWith(workshop, originals[bits], stub(bits)),
    ])
    const xor = stubs.XOR?.(bits)
    if (!xor) throw new Error('There is no stub XOR.')
    const once = packWith(workshop, originals[bits], xor)
    samples.push(
      ['two layers', packWith(workshop, once, xor, '.stub')],
      ['UPX over XOR', workshop.pack(once, '--force')],
    )
    for (const [name, sample] of samples) {
      const result = await judged(bits, sample)
      rows.push(`${bits} bits  ${name.padEnd(28)} ${result}`)
      if (result === 'solved') solved++
      expect.soft(result, `${bits} ${name}`).toMatch(unsolved[name] ?? /^solved$/)
    }
  }
  console.log(`${solved} of ${rows.length} samples of own stubs are solved\n${rows.join('\n')}`)
}, 600_000)

test.each([32, 64] as const)(
  'code in new memory is found with its bytes, also behind checks for debuggers: %i bits',
  async (bits) => {
    const payload = workshop.assemble(`bits ${bits}\n${payloadSource}`)
    for (const isCareful of [false, true]) {
      const { unpacked, report } = await engine.one(workshop.compile(bits, loader(payload, isCareful)))
      expect(report.layers, report.why).toMatchObject([{ how: 'call' }])
      const { entry = 0, sections = [] } = report.after ?? {}
      expect(unpacked?.subarray(entry, entry + payload.length)).toEqual(payload)
      expect(sections.find(({ name }) => name === '.heap0')?.address).toBe(entry)
      if (isCareful) expect(report.calls.map(({ name }) => name)).toContain('ntdll.NtQueryInformationProcess')
    }
  },
  120_000,
)
