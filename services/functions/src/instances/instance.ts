import { connect } from 'node:net'
import { Failure } from '@icosa/kernel'
import type { Result, Running, Sandbox } from '@icosa/sandbox'
import type { Pool } from 'undici'
import type { Revision } from '../revision.ts'
import type { Runtimes } from '../runtimes/index.ts'
import type { Artifacts } from './artifacts/artifacts.ts'
import { type Line, type Lines, openLines } from './lines.ts'

/** A sandbox that serves a revision. */
export interface Instance {
  readonly id: string
  readonly pool: Pool
  /** Requests that it has. */
  inFlight: number
  /** Whether it gets no further ones, and ends after those it has. */
  isDraining: boolean
  isEnded: boolean
  /** Whether it did not answer in time, and it is being found out if it ever will. */
  isDoubted: boolean
  /** By the platform's clock; the others by this machine's. */
  idleSince: number
  idleAt: number
  readonly startedAt: number
  timeouts: number
  /** Why it ended, for whoever was waiting for its answer. */
  readonly ended: Promise<string>
  /** Whether it gets to its turn, or computes without end. */
  isAlive(): Promise<boolean>
  say(text: string): void
  stop(): Promise<void>
}

export interface InstanceHost {
  readonly sandbox: Sandbox
  readonly runtimes: Runtimes
  readonly artifacts: Artifacts
  readonly log: (line: Line & { readonly revision: Revision }) => void
  readonly limits: { readonly startMs: number }
}

/** A start is work that its share would take long for. */
const cpusToStart = 2
const longestMs = 2 ** 31 - 1
/** Of an answer's headers, all together. */
export const headerBytes = 65_536

/** Rejects with a failure that says what is wrong with the function, if it does not get to listen. */
export async function startInstance(
  host: InstanceHost,
  revision: Revision,
  id: string,
  now: number,
): Promise<Instance> {
  const lines = openLines((line) => host.log({ ...line, revision }))
  const code = await host.artifacts.use(revision.tenant, revision.artifact)
  let running: Running
  try {
    const runtime = await host.runtimes.open(revision.runtime)
    running = await host.sandbox.start(
      {
        argv: runtime.argv(revision),
        cwd: '/workspace',
        env: { ...runtime.environment, ...environmentOf(revision) },
        binds: [...runtime.binds, { from: code.path, to: '/workspace' }],
        listens: true,
        limits: limitsOf(revision),
      },
      { onOutput: (chunk, from) => lines.take(chunk, from) },
    )
  } catch (error) {
    code.release()
    throw error
  }
  const ended = running.done.then((result) => why(revision, result), String).finally(code.release)
  const socketPath = await listening(running, revision, lines, host.limits.startMs)
  await running.limitCpus(revision.cpu)
  const undici = await import('undici')
  const pool = new undici.Pool('http://function', {
    socketPath,
    connections: revision.concurrency,
    pipelining: 1,
    // The program closes no connection that it has answered on, and time limits are those of the request.
    keepAliveTimeout: 600_000,
    keepAliveMaxTimeout: 600_000,
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: headerBytes,
    connectTimeout: 30_000,
  })
  return instanceOf(running, pool, lines, ended, id, now)
}

function instanceOf(
  running: Running,
  pool: Pool,
  lines: Lines,
  ended: Promise<string>,
  id: string,
  now: number,
): Instance {
  const instance: Instance = {
    id,
    pool,
    inFlight: 0,
    isDraining: false,
    isEnded: false,
    isDoubted: false,
    idleSince: now,
    idleAt: performance.now(),
    startedAt: performance.now(),
    timeouts: 0,
    ended,
    isAlive: () => Promise.race([running.socket('alive'), never(aliveMs)]).then(isAlive, () => false), // which is ended
    say: lines.say,
    async stop() {
      instance.isDraining = true
      await running.stop().catch(() => {})
    },
  }
  void ended.then(() => {
    instance.isEnded = true
    lines.end()
    return pool.destroy().catch(() => {})
  })
  return instance
}

const aliveMs = 2_000
const never = (ms: number) => new Promise<undefined>((resolve) => setTimeout(resolve, ms, undefined).unref())

async function isAlive(path: string | undefined): Promise<boolean> {
  if (path === undefined) return false
  const socket = connect(path)
  const answered = new Promise<boolean>((resolve) => {
    socket
      .on('data', () => resolve(true))
      .on('error', () => resolve(false))
      .on('end', () => resolve(false))
  })
  return (
    ((await Promise.race([answered, never(aliveMs)]).finally(() => socket.destroy())) as boolean | undefined) ?? false
  )
}

/** The last part of its name is what a function is called inside. */
export const shortName = (name: string) => name.slice(name.lastIndexOf('/') + 1)

function environmentOf({ id, environment, entryPoint, signature, ...revision }: Revision): Record<string, string> {
  const name = shortName(revision.function)
  return {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    HOME: '/tmp',
    LANG: 'C.UTF-8',
    ...environment,
    PORT: '8080',
    K_SERVICE: name,
    K_CONFIGURATION: name,
    K_REVISION: id,
    FUNCTION_TARGET: entryPoint,
    FUNCTION_SIGNATURE_TYPE: signature,
  }
}

const limitsOf = ({ memoryBytes, concurrency, cpu }: Revision) => ({
  memoryBytes,
  // Runtimes that have a thread for each request have a dozen beside.
  processes: 64 + concurrency,
  diskBytes: Math.floor(memoryBytes / 2),
  // What ends a program. What is kept of what it prints is much less.
  outputBytes: 16 * 2 ** 20,
  wallMs: longestMs,
  cpus: Math.max(cpu, cpusToStart),
})

async function listening(running: Running, revision: Revision, lines: Lines, startMs: number): Promise<string> {
  const late = setTimeout(() => void running.stop(), startMs)
  try {
    return await running.socket('http')
  } catch {
    const result = await running.done
    lines.end()
    const reason =
      result.ended === 'stopped'
        ? `It did not listen within ${startMs / 1_000} s: does its code wait for something that never comes?`
        : why(revision, result)
    const printed = lines.last()
    throw new Failure(
      'invalid',
      `The function ${shortName(revision.function)} cannot be started. ${reason}${printed ? `\n${printed}` : ''}`,
    )
  } finally {
    clearTimeout(late)
  }
}

const mib = (bytes: number) => `${Math.round(bytes / 2 ** 20)} MiB`

function why({ memoryBytes }: Revision, { ended, code }: Result): string {
  if (ended === 'memory')
    return `It used more than its ${mib(memoryBytes)} of memory: give it more, or let it use less.`
  if (ended === 'output') return 'It printed more than 16 MiB in a second.'
  if (ended === 'stopped') return 'It was stopped.'
  // V8 gives up by itself when its heap is full, with an abort.
  if (code === 134 || code === 133)
    return `It ended with code ${code}, most likely out of its ${mib(memoryBytes)} of memory.`
  return `It ended with code ${code}.`
}
