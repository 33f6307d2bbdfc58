import { realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Program, systemBinds } from '@icosa/sandbox'
import type { AnalyzeOptions } from '../engine/analyze.ts'
import { patience } from '../engine/unicorn/watchdog.ts'

const megabyte = 2 ** 20

/** Limits of the sandbox, in addition to those of the engine. */
const limits = {
  memoryBytes: 1536 * megabyte,
  processes: 32,
  diskBytes: megabyte,
  outputBytes: 512 * megabyte,
}

/** Additional time for starting, reading and writing on a busy machine. */
const overheadMs = 30_000

const folderOf = (name: string) => realpathSync(dirname(fileURLToPath(import.meta.resolve(name))))

/** The engine as run in the sandbox, which contains only Node, the engine, koffi and system libraries. */
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
    limits: { ...limits, wallMs: patience * options.emulateMs + overheadMs },
  }
}
