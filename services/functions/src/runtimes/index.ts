import { mkdir, realpath } from 'node:fs/promises'
import { Failure } from '@icosa/kernel'
import { systemBinds } from '@icosa/sandbox'
import { findNode, findPython, isMissing, type Program } from './find.ts'
import { makeKit } from './kit.ts'
import type { FoundRuntime, Runtime } from './runtime.ts'

export type { FoundRuntime, Runtime } from './runtime.ts'

export interface RuntimeSettings {
  /** A binary of Node 22, if the operator names one. */
  readonly nodejs22?: string | undefined
}

/** All that a revision may name, whether this machine has it or not. */
export const runtimeNames = ['nodejs24', 'nodejs22', 'python311'] as const
export type RuntimeName = (typeof runtimeNames)[number]

const isName = (name: string): name is RuntimeName => (runtimeNames as readonly string[]).includes(name)

const find = (name: RuntimeName, { nodejs22 }: RuntimeSettings): Promise<Program> => {
  if (name === 'python311') return findPython('3.11')
  return name === 'nodejs22' ? findNode(22, nodejs22) : findNode(24)
}

/** What there is on this machine, and what is missing. */
export async function runtimes(settings: RuntimeSettings = {}): Promise<FoundRuntime[]> {
  return await Promise.all(
    runtimeNames.map(async (name): Promise<FoundRuntime> => {
      const found = await find(name, settings)
      return isMissing(found) ? { name, problem: found.problem } : { name, version: found.version }
    }),
  )
}

export interface Runtimes {
  /** Rejects with a failure that says what is missing. */
  open(name: string): Promise<Runtime>
}

/** Each is looked for, and its kit is made, when it is first needed. */
export function openRuntimes(folder: string, settings: RuntimeSettings = {}): Runtimes {
  const opened = new Map<string, Promise<Runtime>>()
  return {
    open(name) {
      const known = opened.get(name)
      if (known) return known
      const opening = openRuntime(folder, name, settings)
      opened.set(name, opening)
      opening.catch(() => opened.delete(name)) // it may be installed by the next time
      return opening
    },
  }
}

async function openRuntime(folder: string, name: string, settings: RuntimeSettings): Promise<Runtime> {
  if (!isName(name))
    throw new Failure('invalid', `There is no runtime '${name}': choose one of ${runtimeNames.join(', ')}.`)
  const found = await find(name, settings)
  if (isMissing(found)) throw new Failure('unavailable', found.problem)
  await mkdir(folder, { recursive: true, mode: 0o755 })
  const isPython = name === 'python311'
  // Python needs only the runner, but a kit has both.
  const kit = await makeKit(await realpath(folder), isPython ? process.execPath : found.path)
  const binds = [...systemBinds(), { from: kit, to: '/runtime' }]
  const { version } = found
  if (isPython)
    return {
      name,
      version,
      binds,
      argv: () => [found.path, '-B', '-u', '/runtime/runner.py'],
      environment: { PYTHONUNBUFFERED: '1', PYTHONDONTWRITEBYTECODE: '1', PYTHONUTF8: '1' },
    }
  return {
    name,
    version,
    binds: [...binds, { from: found.path, to: '/node' }],
    argv: ({ memoryBytes }) => ['/node', `--max-old-space-size=${heapMb(memoryBytes)}`, '/runtime/runner.cjs'],
    environment: { NODE_ENV: 'production', TZ: 'UTC' },
  }
}

/** V8 tidies up when its heap is full, which must be before the sandbox's memory is. */
const heapMb = (memoryBytes: number) => Math.max(32, Math.floor((memoryBytes / 2 ** 20) * 0.7))
