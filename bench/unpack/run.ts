/**
 * A sample through the engine, compared with bare Unicorn: the same program up to the same entry point, with only hooks on
 * ranges around it. Both in CPU time, which other load does not affect. In wall-clock time: the start of an idle
 * sandbox, and the total.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { openSandbox, type RuntimeName, systemBinds } from '@icosa/sandbox'
import { openEngine } from '../../services/unpack-analysis/src/sandboxed/engine.ts'
import { Workshop } from '../../services/unpack-analysis/src/testing/build.ts'
import { elfFactsOf } from '../../services/unpack-analysis/src/testing/linux/facts.ts'
import { linuxDownloader } from '../../services/unpack-analysis/src/testing/linux/programs.ts'
import { downloader } from '../../services/unpack-analysis/src/testing/programs.ts'
import { type Figure, median, record } from '../figures.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const runtime = (process.env.BENCH_RUNTIME ?? 'bwrap') as RuntimeName
const state = mkdtempSync('/tmp/unpack-bench-')
using workshop = new Workshop()
const engine = openEngine({ runtime, emulateMs: 60_000, concurrency: 1, state }, console.error)
const sandbox = await openSandbox({ runtime, state, onError: console.error })
const limits = { memoryBytes: 2 ** 29, processes: 32, diskBytes: 2 ** 20, outputBytes: 2 ** 20, wallMs: 60_000 }
const binds = [...systemBinds(), { from: process.execPath, to: '/node' }]
const bareOf = (name: string) => fileURLToPath(new URL(name, import.meta.url))

interface Subject {
  readonly name: string
  readonly packed: Buffer
  /** Program that runs it bare, with arguments. */
  readonly bare: readonly [program: string, ...more: string[]]
}

function* subjects(): Generator<Subject> {
  for (const method of ['nrv2e', 'lzma']) {
    for (const bits of [32, 64] as const) {
      const packed = workshop.pack(workshop.compile(bits, downloader()), `--${method}`)
      yield { name: `Windows, ${bits} bits, UPX ${method}`, packed, bare: [bareOf('./bare.ts')] }
    }
    const original = workshop.compileLinux(linuxDownloader(), '-static')
    const packed = workshop.pack(original, `--${method}`)
    const { entry } = elfFactsOf(original)
    yield { name: `Linux, static, UPX ${method}`, packed, bare: [bareOf('./bare-linux.ts'), String(entry)] }
  }
}

async function timed<T>(work: () => Promise<T>): Promise<[number, T]> {
  const begun = performance.now()
  const result = await work()
  return [performance.now() - begun, result]
}

const figures: Figure[] = []
for (const { name, packed, bare } of subjects()) {
  const { path, content } = workshop.write(packed)
  const [program, ...more] = bare
  const took: { alone: number; emulated: number; empty: number; all: number }[] = []
  for (let round = 0; round < rounds; round++) {
    const alone = Number(execFileSync(process.execPath, [program, path, ...more], { encoding: 'utf8' }))
    const [empty] = await timed(() => sandbox.run({ argv: ['/node', '-e', '0'], binds, limits }))
    const [all, { report }] = await timed(() => engine.analyze('bench', content))
    took.push({ alone, emulated: report.emulatedMs, empty, all })
  }
  const of = (key: 'emulated' | 'empty' | 'all') => median(took.map((one) => one[key]))
  const ratio = median(took.map((one) => one.emulated / one.alone))
  figures.push(
    { name: `${name}, CPU of the emulation`, value: ratio, unit: '×', comparedWith: 'Unicorn up to the entry point' },
    { name: `${name}, CPU of the whole emulation`, value: of('emulated'), unit: 'ms' },
    { name: `${name}, analysis by the clock`, value: of('all'), unit: 'ms' },
    { name: `${name}, empty sandbox by the clock`, value: of('empty'), unit: 'ms' },
  )
}
record(figures)
await engine.close()
await sandbox.close()
rmSync(state, { recursive: true, force: true })
