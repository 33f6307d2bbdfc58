import { sized } from '@icosa/testing'
import { afterAll, expect, test } from 'vitest'
import { Workshop } from '../testing/build.ts'
import { openTestEngine } from '../testing/engine.ts'
import { fitOf, solved, unsolved } from '../testing/fit.ts'
import { linuxLoader, linuxSignals, linuxStarter } from '../testing/linux/programs.ts'
import { loader, payloadSource } from '../testing/programs.ts'
import { linuxStubSamples, linuxUpxSamples, type PackedSample, stubSamples, upxSamples } from '../testing/samples.ts'

const workshop = new Workshop()
const engine = openTestEngine()
afterAll(async () => {
  await engine.close()
  workshop[Symbol.dispose]()
})

/** Unpacks samples one by one, each by one call of the engine. */
async function expectSolved(samples: Iterable<PackedSample>): Promise<void> {
  for (const sample of samples) {
    const analysis = await engine.one(sample.packed)
    expect.soft(analysis.report.packer, sample.name).toMatch(sample.packer)
    expect
      .soft(fitOf(sample, analysis), `${sample.name}: ${analysis.report.why}`)
      .toEqual(unsolved[sample.name] ?? solved)
  }
}

test.each([32, 64] as const)(
  'UPX for Windows, %i bits: entry point, code and imports equal those of the original',
  (bits) => expectSolved(upxSamples(workshop, bits)),
  300_000,
)

test.each([32, 64] as const)(
  'own stubs for Windows, %i bits: the same, except for known unsolved ones',
  (bits) => expectSolved(stubSamples(workshop, bits)),
  300_000,
)

test(
  'UPX for Linux: entry point, code and imports equal those of the original',
  () => expectSolved(linuxUpxSamples(workshop, sized(1, 0) === 1)),
  600_000,
)

test('our stubs for Linux are unpacked', () => expectSolved(linuxStubSamples(workshop)), 300_000)

test.each([32, 64] as const)(
  'code in allocated memory is extracted, also behind debugger checks: Windows, %i bits',
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

test.each([
  ['behind debugger checks', linuxLoader, ['-static']],
  ['behind debugger checks, dynamically linked', linuxLoader, []],
  ['behind a signal', linuxSignals, ['-static']],
  ['behind a signal, dynamically linked', linuxSignals, []],
] as const)(
  'code in allocated memory is extracted: Linux, %s',
  async (_, program, options) => {
    const payload = workshop.assemble(`bits 64\n${payloadSource}`)
    const { unpacked, report } = await engine.one(workshop.compileLinux(program(payload), ...options))
    expect(report.layers, report.why).toHaveLength(1)
    const part = report.after?.sections.find(({ address, size }) => {
      const { entry = 0 } = report.after ?? {}
      return entry >= address && entry < address + size
    })
    expect(part).toBeDefined()
    expect(unpacked?.includes(payload)).toBe(true)
  },
  120_000,
)

test('a program that another one wrote and started is extracted unchanged', async () => {
  const inner = workshop.compileLinux('int main(void) { return 7; }')
  for (const options of [['-static'], []]) {
    const { unpacked, report } = await engine.one(workshop.compileLinux(linuxStarter(inner), ...options))
    expect(report.stopped.text).toMatch(/which it had written$/)
    expect(unpacked?.equals(inner)).toBe(true)
  }
}, 120_000)
