import { realpathSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { normalize } from 'node:path'
import { Failure } from '@icosa/kernel'

/** A file or folder of the host that the program may read. */
export interface Bind {
  readonly from: string
  readonly to: string
}

export interface Limits {
  readonly memoryBytes: number
  /** Processes and threads: Node has about a dozen. */
  readonly processes: number
  /** What fits in `/tmp`, the only folder in which the program may write. It counts as memory, too. */
  readonly diskBytes: number
  /** Of stdout and stderr together; a second, where somebody takes it as it comes. */
  readonly outputBytes: number
  readonly wallMs: number
  /** Processors, or parts of one. All of them unless set. */
  readonly cpus?: number
}

export interface Program {
  readonly argv: readonly string[]
  /** The whole environment: nothing of the node's is passed on. */
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  readonly stdin?: string | Uint8Array
  readonly binds: readonly Bind[]
  /** Whether the program gets `/sockets`, a folder in which the host finds the unix sockets it listens on. */
  readonly listens?: boolean
  readonly limits: Limits
}

/** `exit`: by itself. The others: which limit ended it, or that it was stopped. */
export type Ended = 'exit' | 'memory' | 'output' | 'time' | 'stopped'

export interface Result {
  readonly ended: Ended
  /** As a shell has it: 128 and the signal's number where a signal ended it. */
  readonly code: number
  readonly stdout: Buffer
  readonly stderr: Buffer
}

/** The user and group that every program runs as: nobody. */
export const nobody = 65534

/** What a program that is linked against Debian's libraries needs to start. */
export const systemBinds = (): Bind[] =>
  ['/usr', '/lib', '/lib64', '/bin'].map((to) => ({ from: realpathSync(to), to }))

/** Places that the sandbox itself makes. */
const ours = ['/proc', '/sys', '/dev', '/tmp', '/sockets']
const within = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`)
const refuse = (message: string): never => {
  throw new Failure('invalid', message)
}

/** Refuses what a runtime would understand in more than one way. */
export async function checkProgram({ argv, env = {}, cwd = '/', binds, limits }: Program): Promise<void> {
  if (argv.length === 0) refuse('argv is empty: name the program to run.')
  if ([...argv, cwd, ...Object.entries(env).flat()].some((text) => text.includes('\0')))
    refuse('argv, cwd and env cannot hold NUL.')
  const misnamed = Object.keys(env).find((name) => name === '' || name.includes('='))
  if (misnamed !== undefined) refuse(`'${misnamed}' cannot be the name of an environment variable.`)
  const { cpus = 1, ...whole } = limits
  if (!(cpus > 0 && cpus <= 1_024)) refuse('limits.cpus must be a number above 0.')
  for (const [name, value] of Object.entries(whole))
    if (!Number.isSafeInteger(value) || value < 1) refuse(`limits.${name} must be a whole number above 0.`)
  if (limits.wallMs > 2 ** 31 - 1) refuse('limits.wallMs can be at most 24 days.')
  await checkBinds(binds)
}

async function checkBinds(binds: readonly Bind[]): Promise<void> {
  const seen: string[] = [...ours]
  for (const { from, to } of binds) {
    if (!/^\/[^\0:,\\]+$/.test(to) || normalize(to) !== to || to.endsWith('/'))
      refuse(`Cannot bind to '${to}': give an absolute path below /, without '..'.`)
    // One mount inside another would follow a symlink that whoever filled the outer one had put there.
    const clash = seen.find((other) => within(to, other) || within(other, to))
    if (clash) refuse(`Cannot bind to '${to}' beside '${clash}': one is inside the other.`)
    seen.push(to)
    const real = await realpath(from).catch(() => undefined)
    if (real === undefined) refuse(`Cannot bind '${from}': it does not exist.`)
    if (real !== from)
      refuse(`Cannot bind '${from}': it is or goes through a symlink, or is not absolute; give its real path.`)
  }
}
