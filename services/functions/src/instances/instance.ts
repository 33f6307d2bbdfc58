import { connect } from 'node:net'
import { Failure } from '@icosa/kernel'
import type { Result, Running, Sandbox } from '@icosa/sandbox'
import type { Pool } from 'undici'
import { dialIn } from '../egress/dial-in.ts'
import type { Network } from '../egress/network.ts'
import { metadataHost } from '../identities/metadata.ts'
import type { Revision } from '../revision.ts'
import type { Runtimes } from '../runtimes/index.ts'
import type { Artifacts } from './artifacts/artifacts.ts'
import { type Line, type Lines, openLines } from './lines.ts'

/** A sandboxed process that serves a revision. */
export interface Instance {
  readonly id: string
  readonly pool: Pool
  inFlight: number
  /** Whether it gets no further requests and ends when those in flight have finished. */
  isDraining: boolean
  isEnded: boolean
  /** Whether a liveness probe is in progress; it gets no requests meanwhile. */
  isSuspect: boolean
  /** By the platform's clock; `idleAt` and `startedAt` are monotonic. */
  idleSince: number
  idleAt: number
  readonly startedAt: number
  timeouts: number
  /** Resolves with the reason, for requests that wait for its response. */
  readonly ended: Promise<string>
  /** Liveness probe: false if its event loop does not respond. */
  isAlive(): Promise<boolean>
  /** Adds a line of the platform to the function's log. */
  report(text: string): void
  stop(): Promise<void>
}

export interface InstanceHost {
  readonly sandbox: Sandbox
  readonly runtimes: Runtimes
  readonly artifacts: Artifacts
  readonly log: (line: Line & { readonly revision: Revision }) => void
  readonly limits: { readonly startMs: number }
  /** Without one, functions reach nothing. */
  readonly network?: Network | undefined
}

/** CPU boost during a cold start, which the revision's own share would slow down. */
const startCpus = 2
const maxTimerMs = 2 ** 31 - 1
/** Limit of all headers of a response together. */
export const headerBytes = 65_536

/** Cold start. Rejects with a failure that explains the problem if it does not listen in time. */
export async function startInstance(
  host: InstanceHost,
  revision: Revision,
  id: string,
  now: number,
): Promise<Instance> {
  const lines = openLines((line) => host.log({ ...line, revision }))
  const unsealed = await revision.unseal?.().catch((error: Error) => {
    lines.report(error.message)
    throw error
  })
  const code = await host.artifacts.use(revision.tenant, revision.artifact, unsealed?.artifact)
  let running: Running
  try {
    const runtime = await host.runtimes.open(revision.runtime)
    running = await host.sandbox.start(
      {
        argv: runtime.argv(revision),
        cwd: '/workspace',
        env: {
          ...runtime.environment,
          ...environmentOf({ ...revision, environment: { ...unsealed?.environment, ...revision.environment } }),
          ...(host.network && { PLATFORM_ADDRESS: host.network.platform }),
        },
        binds: [...runtime.binds, { from: code.path, to: '/workspace' }],
        folders: Object.entries(revision.volumes ?? {}).map(([to, files]) => ({ to, files })),
        listens: true,
        limits: limitsOf(revision),
      },
      { onOutput: (chunk, from) => lines.write(chunk, from) },
    )
  } catch (error) {
    code.release()
    throw error
  }
  if (host.network) dialIn(running, host.network.accept(revision, lines.report))
  const ended = running.done.then((result) => exitReason(revision, result), String).finally(code.release)
  const socketPath = await socketOf(running, revision, lines, host.limits.startMs)
  await running.limitCpus(revision.cpu)
  const undici = await import('undici')
  const pool = new undici.Pool('http://function', {
    socketPath,
    connections: revision.concurrency,
    pipelining: 1,
    // The runner never closes idle connections, and the request has its own timeout.
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
    isSuspect: false,
    idleSince: now,
    idleAt: performance.now(),
    startedAt: performance.now(),
    timeouts: 0,
    ended,
    isAlive: () => Promise.race([running.socket('alive'), timeout(probeMs)]).then(responds, () => false), // it has ended
    report: lines.report,
    async stop() {
      instance.isDraining = true
      await running.stop().catch(() => {})
    },
  }
  void ended.then(() => {
    instance.isEnded = true
    lines.flush()
    return pool.destroy().catch(() => {})
  })
  return instance
}

const probeMs = 2_000
const timeout = (ms: number) => new Promise<undefined>((resolve) => setTimeout(resolve, ms, undefined).unref())

async function responds(path: string | undefined): Promise<boolean> {
  if (path === undefined) return false
  const socket = connect(path)
  const response = new Promise<boolean>((resolve) => {
    socket
      .on('data', () => resolve(true))
      .on('error', () => resolve(false))
      .on('end', () => resolve(false))
  })
  return (
    ((await Promise.race([response, timeout(probeMs)]).finally(() => socket.destroy())) as boolean | undefined) ?? false
  )
}

/** Returns the last segment of a resource name, by which the function knows itself. */
export const shortName = (name: string) => name.slice(name.lastIndexOf('/') + 1)

function environmentOf({ id, environment, entryPoint, signature, ...revision }: Revision): Record<string, string> {
  const name = shortName(revision.function)
  return {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    HOME: '/tmp',
    LANG: 'C.UTF-8',
    ...proxyVariables,
    ...(revision.serviceAccount && { GCE_METADATA_HOST: metadataHost, GOOGLE_CLOUD_PROJECT: projectOf(revision) }),
    ...environment,
    PORT: '8080',
    K_SERVICE: name,
    K_CONFIGURATION: name,
    K_REVISION: id,
    FUNCTION_TARGET: entryPoint,
    FUNCTION_SIGNATURE_TYPE: signature,
  }
}

const projectOf = (revision: Pick<Revision, 'function'>) => revision.function.split('/')[1] ?? ''

/** For programs that a function starts; its own connections need no proxy. */
const proxy = 'http://127.0.0.1:3128'
const direct = 'localhost,127.0.0.1,::1'
const proxyVariables = {
  ...{ HTTP_PROXY: proxy, HTTPS_PROXY: proxy, NO_PROXY: direct },
  ...{ http_proxy: proxy, https_proxy: proxy, no_proxy: direct },
}

const limitsOf = ({ memoryBytes, concurrency, cpu }: Revision) => ({
  memoryBytes,
  // Runtimes with a thread per request have a dozen others.
  processes: 64 + concurrency,
  diskBytes: Math.floor(memoryBytes / 2),
  // A program that prints more is killed. The log keeps far less than this.
  outputBytes: 16 * 2 ** 20,
  wallMs: maxTimerMs,
  cpus: Math.max(cpu, startCpus),
})

async function socketOf(running: Running, revision: Revision, lines: Lines, startMs: number): Promise<string> {
  const timer = setTimeout(() => void running.stop(), startMs)
  try {
    return await running.socket('http')
  } catch {
    const result = await running.done
    lines.flush()
    const reason =
      result.ended === 'stopped'
        ? `It did not listen within ${startMs / 1_000} s: does its code wait for something that never comes?`
        : exitReason(revision, result)
    const output = lines.tail()
    throw new Failure(
      'invalid',
      `The function ${shortName(revision.function)} cannot be started. ${reason}${output ? `\n${output}` : ''}`,
    )
  } finally {
    clearTimeout(timer)
  }
}

const mib = (bytes: number) => `${Math.round(bytes / 2 ** 20)} MiB`

function exitReason({ memoryBytes }: Revision, { ended, code }: Result): string {
  if (ended === 'memory')
    return `It used more than its ${mib(memoryBytes)} of memory: give it more, or let it use less.`
  if (ended === 'output') return 'It printed more than 16 MiB in a second.'
  if (ended === 'stopped') return 'It was stopped.'
  // V8 aborts by itself when its heap is full.
  if (code === 134 || code === 133)
    return `It ended with code ${code}, most likely out of its ${mib(memoryBytes)} of memory.`
  return `It ended with code ${code}.`
}
