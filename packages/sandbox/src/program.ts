import { realpathSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { normalize } from 'node:path'
import { Failure } from '@icosa/kernel'

/** A file or folder of the host, mounted read-only. */
export interface Bind {
  readonly from: string
  readonly to: string
}

export interface Limits {
  readonly memoryBytes: number
  /** Processes and threads: Node has about a dozen. */
  readonly processes: number
  /** Size of `/tmp`, the only writable folder. Counts as memory as well. */
  readonly diskBytes: number
  /** For stdout and stderr together; per second if streamed. */
  readonly outputBytes: number
  readonly wallMs: number
  /** Processors, or fractions of one. Unlimited by default. */
  readonly cpus?: number
}

/** Read-only files of the program's own, such as secrets; removed with it. */
export interface OwnFolder {
  readonly to: string
  /** Content by file name. */
  readonly files: Readonly<Record<string, string>>
}

export interface Program {
  readonly argv: readonly string[]
  /** The whole environment: nothing of the node's is passed on. */
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  readonly stdin?: string | Uint8Array
  readonly binds: readonly Bind[]
  readonly folders?: readonly OwnFolder[]
  /** Whether the program gets `/sockets`, a folder for unix sockets that the host can connect to. */
  readonly listens?: boolean
  readonly limits: Limits
}

/** `exit`: by itself. The others: the limit that ended it, or that it was stopped. */
export type Ended = 'exit' | 'memory' | 'output' | 'time' | 'stopped'

export interface Result {
  readonly ended: Ended
  /** As in a shell: 128 plus the signal's number if killed by a signal. */
  readonly code: number
  readonly stdout: Buffer
  readonly stderr: Buffer
}

/** User and group of every program: nobody. */
export const nobody = 65534

/** Required by programs that are linked against Debian's libraries. */
export const systemBinds = (): Bind[] =>
  ['/usr', '/lib', '/lib64', '/bin'].map((to) => ({ from: realpathSync(to), to }))

/** Paths created by the sandbox itself. */
const reserved = ['/proc', '/sys', '/dev', '/tmp', '/sockets']
const within = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`)
const refuse = (message: string): never => {
  throw new Failure('invalid', message)
}

/** Refuses ambiguous input to runtimes. */
export async function checkProgram(program: Program): Promise<void> {
  const { argv, env = {}, cwd = '/', binds, folders = [], limits } = program
  if (argv.length === 0) refuse('argv is empty: name the program to run.')
  if ([...argv, cwd, ...Object.entries(env).flat()].some((text) => text.includes('\0')))
    refuse('argv, cwd and env cannot contain NUL.')
  const misnamed = Object.keys(env).find((name) => name === '' || name.includes('='))
  if (misnamed !== undefined) refuse(`'${misnamed}' cannot be the name of an environment variable.`)
  const { cpus = 1, ...whole } = limits
  if (!(cpus > 0 && cpus <= 1_024)) refuse('limits.cpus must be a number above 0.')
  for (const [name, value] of Object.entries(whole))
    if (!Number.isSafeInteger(value) || value < 1) refuse(`limits.${name} must be a whole number above 0.`)
  if (limits.wallMs > 2 ** 31 - 1) refuse('limits.wallMs can be at most 24 days.')
  await checkBinds([...binds, ...folders.map(({ to }) => ({ from: '/', to }))])
  for (const name of folders.flatMap(({ files }) => Object.keys(files)))
    if (!/^[^/\0]{1,255}$/.test(name) || name === '.' || name === '..')
      refuse(`'${name}' cannot be the name of a file.`)
}

async function checkBinds(binds: readonly Bind[]): Promise<void> {
  const paths: string[] = [...reserved]
  for (const { from, to } of binds) {
    if (!/^\/[^\0:,\\]+$/.test(to) || normalize(to) !== to || to.endsWith('/'))
      refuse(`Cannot bind to '${to}': give an absolute path below /, without '..'.`)
    // A mount inside another would follow a symlink placed in the outer one.
    const conflict = paths.find((other) => within(to, other) || within(other, to))
    if (conflict) refuse(`Cannot bind both '${to}' and '${conflict}': one is inside the other.`)
    paths.push(to)
    const real = await realpath(from).catch(() => undefined)
    if (real === undefined) refuse(`Cannot bind '${from}': it does not exist.`)
    if (real !== from)
      refuse(`Cannot bind '${from}': it is or goes through a symlink, or is not absolute; give its real path.`)
  }
}
