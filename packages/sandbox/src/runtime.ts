import { Failure } from '@icosa/kernel'
import { bubblewrap } from './bubblewrap.ts'
import type { Bounds } from './cgroup.ts'
import { installed } from './command.ts'
import { ociRuntime } from './oci.ts'
import type { Place } from './place.ts'
import type { Limits, Program } from './program.ts'

export type RuntimeName = 'runsc' | 'runc' | 'crun' | 'bwrap'

export interface Runtime {
  readonly name: RuntimeName
  /** What the program and the runtime's own processes may use together. */
  bounds(limits: Limits): Bounds
  /** Writes what the runtime reads, and answers the command that runs the program until it ends. */
  prepare(program: Program, place: Place): Promise<string[]>
  /** Removes what the runtime keeps of a program whose processes are gone. */
  forget(place: Place): Promise<void>
}

const debian: Record<RuntimeName, string> = { runsc: 'runsc', runc: 'runc', crun: 'crun', bwrap: 'bubblewrap' }

export const runtimeNamed = (name: RuntimeName): Runtime => (name === 'bwrap' ? bubblewrap : ociRuntime(name))

/** There is no falling back to a weaker runtime than the one that was chosen: that would be found out too late. */
export function availableRuntime(name: RuntimeName): Runtime {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    throw new Failure('unavailable', 'Programs of strangers run only on Linux, on a node that was started as root.')
  if (!installed(name))
    throw new Failure(
      'unavailable',
      `Programs of strangers cannot be run: ${name} is not installed. Install it (Debian: apt-get install ${debian[name]}).`,
    )
  return runtimeNamed(name)
}
