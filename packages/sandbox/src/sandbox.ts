import { randomBytes } from 'node:crypto'
import { chmod, lstat, mkdir, readdir, realpath, rm } from 'node:fs/promises'
import { every, Failure, machineClock } from '@icosa/kernel'
import {
  type Container,
  makeContainer,
  planContainer,
  removeContainer,
  removeContainersOf,
  withFolders,
} from './container.ts'
import { holdLease, isHeld, shortened } from './lease.ts'
import { checkProgram, type Program, type Result } from './program.ts'
import { inNamespaces, isRootless } from './rootless.ts'
import { type Running, type RunOptions, runIn } from './run.ts'
import { availableRuntime, type Runtime, type RuntimeName } from './runtime.ts'

export interface SandboxOptions {
  /** Defaults to gVisor: the others isolate less, see the README. */
  readonly runtime?: RuntimeName
  /**
   * A local folder shared by all nodes on this machine, so that each can clean up after others. If its path is too long
   * for unix sockets, one in /run is used, the same for all nodes.
   */
  readonly state: string
  /** Reports background errors. */
  readonly onError: (error: unknown) => void
  readonly sweepEveryMs?: number
}

export interface Sandbox {
  /** Runs a program to its end. Rejects with the signal's reason if that stopped it. */
  run(program: Program, options?: RunOptions): Promise<Result>
  /** Starts a program that runs until it is stopped, such as a server. */
  start(program: Program, options?: RunOptions): Promise<Running>
  /** Ends programs left by killed nodes on this machine. */
  sweep(): Promise<void>
  /** Stops all programs, and removes the sandbox's files. */
  close(): Promise<void>
}

const newId = () => randomBytes(8).toString('hex')

export async function openSandbox({
  runtime = 'runsc',
  state,
  onError,
  sweepEveryMs = 30_000,
}: SandboxOptions): Promise<Sandbox> {
  const realState = await stateFolder(state)
  const short = shortened(realState)
  const folder = short === realState ? realState : await stateFolder(short)
  const owner = `${folder}/${newId()}`
  const lease = await holdLease(leaseOf(owner)) // before the folder, which would be an orphan without it
  await mkdir(owner, { mode: 0o711 })
  const programs = new Set<Promise<Running>>()
  let isClosed = false

  const start = async (program: Program, options: RunOptions = {}): Promise<Running> => {
    options.signal?.throwIfAborted()
    const available = await availableRuntime(runtime)
    await checkProgram(program)
    const container = await planContainer(owner, newId(), runtime)
    if (isClosed) throw new Failure('unavailable', 'The node is shutting down: try again.')
    const starting = begin(available, container, program, options)
    programs.add(starting)
    const forget = () => programs.delete(starting)
    void starting.then(({ done }) => done.catch(onError).finally(forget), forget)
    return await starting
  }
  const sweep = async () => {
    for (const other of await ownersIn(folder)) {
      if (other === owner || (await isHeld(leaseOf(other)))) continue
      // One that cannot be ended must not keep the others running.
      await removeContainersOf(other)
        .then(() => rm(leaseOf(other), { force: true }))
        .catch(onError)
    }
  }
  await sweep().catch(onError)
  const stopSweeping = every(sweepEveryMs, sweep, onError)
  return {
    start,
    async run(program, options) {
      const result = await (await start(program, options)).done
      if (result.ended === 'stopped') options?.signal?.throwIfAborted()
      return result
    },
    sweep,
    async close() {
      if (isClosed) return
      isClosed = true
      stopSweeping()
      await Promise.allSettled([...programs].map(async (starting) => await (await starting).stop()))
      await removeContainersOf(owner)
      await lease.release()
    },
  }
}

const leaseOf = (owner: string) => `${owner}.lease`

/** A lease without a folder belongs to an owner that was killed at its start, or is starting right now. */
const startMs = 60_000

async function ownersIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const owners = entries.filter((entry) => entry.isDirectory()).map(({ name }) => `${folder}/${name}`)
  for (const { name } of entries) {
    const owner = `${folder}/${name.slice(0, -'.lease'.length)}`
    if (!name.endsWith('.lease') || owners.includes(owner)) continue
    const lease = await lstat(leaseOf(owner)).catch(() => undefined)
    if (lease && lease.mtimeMs < machineClock.now().getTime() - startMs) owners.push(owner)
  }
  return owners
}

async function begin(runtime: Runtime, container: Container, program: Program, options: RunOptions): Promise<Running> {
  try {
    await makeContainer(container, runtime, program)
    const argv = await runtime.prepare(withFolders(program, container), container)
    if (!isRootless()) return runIn(container, argv, program, options)
    const bounds = runtime.bounds(program.limits)
    return runIn(container, inNamespaces(argv, container.sockets, bounds), program, options, bounds)
  } catch (error) {
    await removeContainer(container)
    throw error
  }
}

/** Only the node's user may write here, so the content is trusted; programs reach their own folders through it. */
async function stateFolder(path: string): Promise<string> {
  await mkdir(path, { recursive: true, mode: 0o711 })
  const { uid } = await lstat(path)
  if (uid !== process.getuid?.())
    throw new Failure(
      'invalid',
      `The state folder of the sandbox, '${path}', belongs to another user: choose one of your own.`,
    )
  await chmod(path, 0o711)
  return await realpath(path)
}
