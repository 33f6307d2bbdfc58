import { randomBytes } from 'node:crypto'
import { chmod, lstat, mkdir, readdir, realpath, rm } from 'node:fs/promises'
import { Failure } from '@icosa/kernel'
import { holdLease, isHeld } from './lease.ts'
import { choosePlace, endOwner, endPlace, makePlace, type Place } from './place.ts'
import { checkProgram, type Program, type Result } from './program.ts'
import { type Running, runIn } from './run.ts'
import { availableRuntime, type Runtime, type RuntimeName } from './runtime.ts'

export interface SandboxOptions {
  /** gVisor unless set otherwise: the others stop less, as the README says. */
  readonly runtime?: RuntimeName
  /** A folder of this machine, shared by all nodes on it, so that each can end what another one left. */
  readonly state: string
  /** What went wrong while nobody waited for it. */
  readonly onError: (error: unknown) => void
  readonly sweepEveryMs?: number
}

export interface Sandbox {
  /** Runs a program to its end. */
  run(program: Program): Promise<Result>
  /** Starts a program that goes on until it is stopped, such as one that listens. */
  start(program: Program): Promise<Running>
  /** Ends what nodes on this machine left when they were killed. */
  sweep(): Promise<void>
  /** Stops all programs, and removes what the sandbox kept. */
  close(): Promise<void>
}

const newId = () => randomBytes(8).toString('hex')

export async function openSandbox({
  runtime = 'runsc',
  state,
  onError,
  sweepEveryMs = 30_000,
}: SandboxOptions): Promise<Sandbox> {
  const folder = await stateFolder(state)
  const owner = `${folder}/${newId()}`
  const lease = await holdLease(leaseOf(owner)) // before there is a folder, which without it would be an orphan's
  await mkdir(owner, { mode: 0o711 })
  const programs = new Set<Running>()
  let isClosed = false

  const start = async (program: Program): Promise<Running> => {
    if (isClosed) throw new Failure('unavailable', 'The node is about to stop: try again on another one.')
    const chosen = availableRuntime(runtime)
    await checkProgram(program)
    const place = await choosePlace(owner, newId(), runtime)
    const running = await begin(chosen, place, program)
    programs.add(running)
    void running.done.catch(onError).finally(() => programs.delete(running))
    if (isClosed) await running.stop() // closed while it was being prepared
    return running
  }
  const sweep = async () => {
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      const other = `${folder}/${entry.name}`
      if (!entry.isDirectory() || other === owner || (await isHeld(leaseOf(other)))) continue
      await endOwner(other)
      await rm(leaseOf(other), { force: true })
    }
  }
  await sweep().catch(onError)
  const timer = setInterval(() => void sweep().catch(onError), sweepEveryMs).unref()
  return {
    start,
    run: async (program) => await (await start(program)).done,
    sweep,
    async close() {
      if (isClosed) return
      isClosed = true
      clearInterval(timer)
      await Promise.allSettled([...programs].map((running) => running.stop()))
      await endOwner(owner)
      await lease.release()
    },
  }
}

const leaseOf = (owner: string) => `${owner}.lease`

async function begin(runtime: Runtime, place: Place, program: Program): Promise<Running> {
  try {
    await makePlace(place, runtime, program)
    return runIn(place, await runtime.prepare(program, place), program)
  } catch (error) {
    await endPlace(place)
    throw error
  }
}

/** Programs reach their own folders through this one, and nobody else may write in it: what it says is believed. */
async function stateFolder(path: string): Promise<string> {
  await mkdir(path, { recursive: true, mode: 0o711 })
  const { uid } = await lstat(path)
  if (uid !== process.getuid?.())
    throw new Failure(
      'invalid',
      `The state folder of the sandbox, '${path}', belongs to another user: name one of your own.`,
    )
  await chmod(path, 0o711)
  return await realpath(path)
}
