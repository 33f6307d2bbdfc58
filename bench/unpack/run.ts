/**
 * A sample through the engine, against Unicorn bare: the same program up to the same entry point, with nothing but hooks on
 * ranges around it. The start of a sandbox with nothing to do comes apart.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { openSandbox, type RuntimeName, systemBinds } from '@icosa/sandbox'
import { openEngine } from '../../services/unpack-analysis/src/sandboxed/engine.ts'
import { Workshop } from '../../services/unpack-analysis/src/testing/build.ts'
import { downloader } from '../../services/unpack-analysis/src/testing/programs.ts'
import { median } from '../figures.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const runtime = (process.env.BENCH_RUNTIME ?? 'bwrap') as RuntimeName
const state = mkdtempSync('/tmp/unpack-bench-')
using workshop = new Workshop()
const engine = openEngine({ runtime, emulateMs: 60_000, ruleMs: 20_000, atOnce: 1, state }, console.error)
const sandbox = await openSandbox({ runtime, state, onError: console.error })
const limits = { memoryBytes: 2 ** 29, processes: 32, diskBytes: 2 ** 20, outputBytes: 2 ** 20, wallMs: 60_000 }
const binds = [...systemBinds(), { from: process.execPath, to: '/node' }]
const bare = fileURLToPath(new URL('./bare.ts', import.meta.url))

async function timed<T>(work: () => Promise<T>): Promise<[number, T]> {
  const begun = performance.now()
  const result = await work()
  return [performance.now() - begun, result]
}

const ms = (values: readonly number[]) => `${median(values).toFixed(0)} ms`
console.log(`In ${runtime}, median of ${rounds}:\n`)
console.log(
  '| sample | Unicorn bare | our emulation, to the end of the program | ratio | an empty sandbox | all of it |',
)
console.log('|---|---|---|---|---|---|')
for (const bits of [32, 64] as const)
  for (const method of ['--nrv2e', '--lzma']) {
    const file = workshop.write(workshop.pack(workshop.compile(bits, downloader()), method))
    const [alone, emulated, empty, all]: number[][] = [[], [], [], []]
    for (let round = 0; round < rounds; round++) {
      alone?.push(Number(execFileSync(process.execPath, [bare, file.path], { encoding: 'utf8' })))
      empty?.push((await timed(() => sandbox.run({ argv: ['/node', '-e', '0'], binds, limits })))[0])
      const [whole, { report }] = await timed(() => engine.analyze('bench', file.content))
      all?.push(whole)
      emulated?.push(report.emulatedMs)
    }
    const ratio = median(emulated ?? []) / median(alone ?? [])
    console.log(
      `| UPX ${method.slice(2)}, ${bits} bits | ${ms(alone ?? [])} | ${ms(emulated ?? [])} | ${ratio.toFixed(2)} | ${ms(empty ?? [])} | ${ms(all ?? [])} |`,
    )
  }
await engine.close()
await sandbox.close()
rmSync(state, { recursive: true, force: true })
