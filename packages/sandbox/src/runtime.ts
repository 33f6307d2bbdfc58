import { Failure } from '@icosa/kernel'
import { bubblewrap } from './bubblewrap.ts'
import { type Bounds, groupFolders } from './cgroup.ts'
import { command, installed } from './command.ts'
import type { Container } from './container.ts'
import { ociRuntime } from './oci.ts'
import type { Limits, Program } from './program.ts'
import { demandNamespaces, isRootless } from './rootless.ts'

/** Available runtimes, strongest isolation first. */
export const runtimeNames = ['runsc', 'runc', 'crun', 'bwrap'] as const
export type RuntimeName = (typeof runtimeNames)[number]

export interface Runtime {
  readonly name: RuntimeName
  /** Limits for the program and the runtime's own processes together. */
  bounds(limits: Limits): Bounds
  /** Writes the runtime's input, and returns the command that runs the program to its end. */
  prepare(program: Program, container: Container): Promise<string[]>
  /** Removes the runtime's state of a program whose processes have ended. */
  forget(container: Container): Promise<void>
}

const debian: Record<RuntimeName, string> = { runsc: 'runsc', runc: 'runc', crun: 'crun', bwrap: 'bubblewrap' }

export const runtimeNamed = (name: RuntimeName): Runtime => (name === 'bwrap' ? bubblewrap : ociRuntime(name))

/** Never falls back to a weaker runtime than the chosen one: that would be noticed too late. */
export async function availableRuntime(name: RuntimeName): Promise<Runtime> {
  if (process.platform !== 'linux') throw new Failure('unavailable', 'Untrusted programs run only on Linux.')
  if (!installed(name))
    throw new Failure(
      'unavailable',
      `Untrusted programs cannot be run: ${name} is not installed. Install it (Debian: apt-get install ${debian[name]}).`,
    )
  if (isRootless()) await demandRootless(name)
  return runtimeNamed(name)
}

let namespaces: Promise<void> | undefined

/** Only gVisor can be limited without a control group: its memory is one file, which can be measured and bounded. */
async function demandRootless(name: RuntimeName): Promise<void> {
  if (name !== 'runsc')
    throw new Failure(
      'unavailable',
      `Untrusted programs run in ${name} only on a node started as root: choose runsc, or start the node as root.`,
    )
  namespaces ??= demandNamespaces().catch((error) => {
    namespaces = undefined // they may be allowed next time
    throw error
  })
  await namespaces
}

export interface FoundRuntime {
  readonly name: RuntimeName
  /** Debian package. */
  readonly package: string
  /** As reported by the runtime; missing if not installed. */
  readonly version?: string
}

/** For `icosa doctor`. */
export async function findRuntimes(): Promise<FoundRuntime[]> {
  const runtimes = runtimeNames.map(async (name): Promise<FoundRuntime> => {
    const runtime = { name, package: debian[name] }
    if (!installed(name)) return runtime
    const [line = ''] = (await command(name, ['--version']).catch(() => '')).split('\n')
    return { ...runtime, version: /\S*\d\S*$/.exec(line)?.[0] ?? line }
  })
  return await Promise.all(runtimes)
}

/** Why no program can be run here, if so: the message of the failure that would result. */
export async function sandboxProblem(runtime: RuntimeName = 'runsc'): Promise<string | undefined> {
  try {
    await availableRuntime(runtime)
    if (!isRootless()) await groupFolders('icosa-sandbox-check') // creates nothing
    return undefined
  } catch (error) {
    if (error instanceof Failure) return error.message
    throw error
  }
}

/** The runtime as `icosa doctor` shows it, with limitations of ordinary users. */
export const sandboxNote = (runtime: RuntimeName): string =>
  isRootless() ? `${runtime}, without root: memory is watched, and processors are not limited` : runtime
