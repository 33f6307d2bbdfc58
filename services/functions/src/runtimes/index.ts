import { mkdir, realpath } from 'node:fs/promises'
import { Failure } from '@icosa/kernel'
import { systemBinds } from '@icosa/sandbox'
import { findNode, findPython, isMissing, type Program } from './find.ts'
import { makeKit } from './kit.ts'
import type { Runtime, RuntimeStatus } from './runtime.ts'

export type { Runtime, RuntimeStatus } from './runtime.ts'

export interface RuntimeSettings {
  /** Path of Node 22. */
  readonly nodejs22?: string | undefined
}

/** All runtimes, whether or not this machine has them. */
export const runtimeNames = ['nodejs24', 'nodejs22', 'python311'] as const
export type RuntimeName = (typeof runtimeNames)[number]

const isName = (name: string): name is RuntimeName => (runtimeNames as readonly string[]).includes(name)

const find = (name: RuntimeName, { nodejs22 }: RuntimeSettings): Promise<Program> => {
  if (name === 'python311') return findPython('3.11')
  return name === 'nodejs22' ? findNode(22, nodejs22) : findNode(24)
}

/** Available and missing runtimes of this machine. */
export async function runtimes(settings: RuntimeSettings = {}): Promise<RuntimeStatus[]> {
  return await Promise.all(
    runtimeNames.map(async (name): Promise<RuntimeStatus> => {
      const program = await find(name, settings)
      return isMissing(program) ? { name, problem: program.problem } : { name, version: program.version }
    }),
  )
}

export interface Runtimes {
  /** Rejects with a failure if it is missing. */
  open(name: string): Promise<Runtime>
}

/** Each runtime is detected, and its kit created, on first use. */
export function openRuntimes(folder: string, settings: RuntimeSettings = {}): Runtimes {
  const runtimesByName = new Map<string, Promise<Runtime>>()
  return {
    open(name) {
      const existing = runtimesByName.get(name)
      if (existing) return existing
      const opening = openRuntime(folder, name, settings)
      runtimesByName.set(name, opening)
      opening.catch(() => runtimesByName.delete(name)) // it may be installed later
      return opening
    },
  }
}

async function openRuntime(folder: string, name: string, settings: RuntimeSettings): Promise<Runtime> {
  if (!isName(name))
    throw new Failure('invalid', `There is no runtime '${name}': choose one of ${runtimeNames.join(', ')}.`)
  const program = await find(name, settings)
  if (isMissing(program)) throw new Failure('unavailable', program.problem)
  await mkdir(folder, { recursive: true, mode: 0o755 })
  const isPython = name === 'python311'
  // Python needs only the runner, but a kit has both.
  const kit = await makeKit(await realpath(folder), isPython ? process.execPath : program.path)
  const binds = [...systemBinds(), { from: kit, to: '/runtime' }]
  const { version } = program
  if (isPython)
    return {
      name,
      version,
      binds,
      argv: () => [program.path, '-B', '-u', '/runtime/runner.py'],
      environment: { PYTHONUNBUFFERED: '1', PYTHONDONTWRITEBYTECODE: '1', PYTHONUTF8: '1' },
    }
  return {
    name,
    version,
    binds: [...binds, { from: program.path, to: '/node' }],
    argv: ({ memoryBytes }) => ['/node', `--max-old-space-size=${heapMb(memoryBytes)}`, '/runtime/runner.cjs'],
    environment: { NODE_ENV: 'production', TZ: 'UTC' },
  }
}

/** V8 collects garbage when its heap is full, which must be before the sandbox's memory is. */
const heapMb = (memoryBytes: number) => Math.max(32, Math.floor((memoryBytes / 2 ** 20) * 0.7))
