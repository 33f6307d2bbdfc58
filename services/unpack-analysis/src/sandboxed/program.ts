import { realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Program, systemBinds } from '@icosa/sandbox'
import type { AnalyzeOptions } from '../engine/analyze.ts'
import { patience } from '../engine/unicorn/watchdog.ts'

const megabyte = 2 ** 20

/** What the emulation of one sample may use, beside what the engine's own limits say. */
const limits = {
  memoryBytes: 1536 * megabyte,
  processes: 32,
  diskBytes: megabyte,
  outputBytes: 512 * megabyte,
}

/** For starting, reading and writing, on a machine that has much to do. */
const besidesMs = 30_000

const folderOf = (name: string) => realpathSync(dirname(fileURLToPath(import.meta.resolve(name))))

/** The engine, as the sandbox runs it: with Node, itself, koffi and the libraries of the system, and nothing else. */
export function engineProgram(sample: Uint8Array, options: AnalyzeOptions): Program {
  const main = fileURLToPath(new URL('../engine/main.ts', import.meta.url))
  const koffi = folderOf('koffi')
  return {
    argv: [
      '/node',
      '--disable-warning=MODULE_TYPELESS_PACKAGE_JSON',
      '--max-old-space-size=512',
      `/engine/${basename(main)}`,
      JSON.stringify(options),
    ],
    stdin: sample,
    binds: [
      ...systemBinds(),
      { from: realpathSync(process.execPath), to: '/node' },
      { from: realpathSync(dirname(main)), to: '/engine' },
      { from: koffi, to: '/node_modules/koffi' },
      { from: realpathSync(join(koffi, '../@koromix')), to: '/node_modules/@koromix' },
    ],
    limits: { ...limits, wallMs: patience * options.emulateMs + besidesMs },
  }
}
