import { Failure } from '@icosa/kernel'
import { bubblewrap } from './bubblewrap.ts'
import { type Bounds, groupFolders } from './cgroup.ts'
import { command, installed } from './command.ts'
import type { Container } from './container.ts'
import { ociRuntime } from './oci.ts'
import type { Limits, Program } from './program.ts'
import { demandNamespaces, isRootless } from './rootless.ts'

/** Those that may be chosen, the one that stops most first. */
export const runtimeNames = ['runsc', 'runc', 'crun', 'bwrap'] as const
export type RuntimeName = (typeof runtimeNames)[number]

export interface Runtime {
  readonly name: RuntimeName
  /** What the program and the runtime's own processes may use together. */
  bounds(limits: Limits): Bounds
  /** Writes what the runtime reads, and answers the command that runs the program until it ends. */
  prepare(program: Program, container: Container): Promise<string[]>
  /** Removes what the runtime keeps of a program whose processes are gone. */
  forget(container: Container): Promise<void>
}

const debian: Record<RuntimeName, string> = { runsc: 'runsc', runc: 'runc', crun: 'crun', bwrap: 'bubblewrap' }

export const runtimeNamed = (name: RuntimeName): Runtime => (name === 'bwrap' ? bubblewrap : ociRuntime(name))

/** There is no falling back to a weaker runtime than the one that was chosen: that would be found out too late. */
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

/** Only gVisor keeps to its memory without a control group: all of it is in one file, which can be measured and bounded. */
async function demandRootless(name: RuntimeName): Promise<void> {
  if (name !== 'runsc')
    throw new Failure(
      'unavailable',
      `Untrusted programs run in ${name} only on a node started as root: choose runsc, or start the node as root.`,
    )
  namespaces ??= demandNamespaces().catch((error) => {
    namespaces = undefined // they may be allowed by the next time
    throw error
  })
  await namespaces
}

export interface FoundRuntime {
  readonly name: RuntimeName
  /** What Debian calls it. */
  readonly package: string
  /** As it says itself; nothing if it is not installed. */
  readonly version?: string
}

/** For who asks what a machine has. */
export async function findRuntimes(): Promise<FoundRuntime[]> {
  const found = runtimeNames.map(async (name): Promise<FoundRuntime> => {
    const known = { name, package: debian[name] }
    if (!installed(name)) return known
    const [line = ''] = (await command(name, ['--version']).catch(() => '')).split('\n')
    return { ...known, version: /\S*\d\S*$/.exec(line)?.[0] ?? line }
  })
  return await Promise.all(found)
}

/** Why no program can be run here, if so: the message of the failure that it would be. */
export async function sandboxProblem(runtime: RuntimeName = 'runsc'): Promise<string | undefined> {
  try {
    await availableRuntime(runtime)
    if (!isRootless()) await groupFolders('icosa-sandbox-check') // nothing is made
    return undefined
  } catch (error) {
    if (error instanceof Failure) return error.message
    throw error
  }
}

/** The runtime as `icosa doctor` shows it, with what an ordinary user does not have. */
export const sandboxNote = (runtime: RuntimeName): string =>
  isRootless() ? `${runtime}, without root: memory is watched, and processors are not limited` : runtime
