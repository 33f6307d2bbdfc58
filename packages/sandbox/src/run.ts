import { type ChildProcess, spawn } from 'node:child_process'
import { connect } from 'node:net'
import { constants } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { Failure } from '@icosa/kernel'
import { type Bounds, killGroup, limitCpus, ranOutOfMemory } from './cgroup.ts'
import { plainEnv } from './command.ts'
import { type Container, removeContainer } from './container.ts'
import type { Ended, Limits, Program, Result } from './program.ts'
import { openNamespaces } from './rootless.ts'

export interface Running {
  /** Resolves when the program and all its resources are removed. */
  readonly done: Promise<Result>
  /** Returns the path of the program's `/sockets/<name>` once it accepts connections. */
  socket(name: string): Promise<string>
  /** Returns the path of `/sockets/<name>` on the host, whether or not the program listens. */
  pathOf(name: string): string
  /** Replaces `limits.cpus` from now on: a program may get more for its start. */
  limitCpus(cpus: number): Promise<void>
  stop(): Promise<Result>
}

/** Exit code of a killed process, as in a shell. */
const killed = 128 + constants.signals.SIGKILL

/** The shell enters the control group before it starts the runtime, so that no process is ever outside it. */
const entering = 'while [ "$1" != -- ]; do echo $$ >"$1/cgroup.procs" || exit 125; shift; done; shift; exec "$@"'

export interface RunOptions {
  /** Stops the program. */
  readonly signal?: AbortSignal
  /** Streams the output instead of collecting it. For long-running programs. */
  readonly onOutput?: (chunk: Buffer, from: 'stdout' | 'stderr') => void
}

export function runIn(
  container: Container,
  argv: readonly string[],
  program: Program,
  { signal, onOutput }: RunOptions,
  /** Limits to poll, if there is no control group. */
  polled?: Bounds,
): Running {
  const child = spawn('/bin/sh', ['-c', entering, 'sh', ...container.groups, '--', ...argv], {
    cwd: '/',
    env: plainEnv,
    detached: true, // a terminal's Ctrl-C is for the node, which then stops the program
  })
  let why: Ended = 'exit'
  const end = (reason: Ended) => {
    if (why === 'exit') why = reason
    if (namespaces) return namespaces.kill()
    child.kill('SIGKILL') // it may not have entered the group yet
    void killGroup(container.groups)
  }
  const namespaces =
    polled && child.pid !== undefined ? openNamespaces(child.pid, container, polled, () => end('memory')) : undefined
  const output = collect(child, program.limits, onOutput, () => end('output'))
  const timer = setTimeout(() => end('time'), program.limits.wallMs)
  const abort = () => end('stopped')
  signal?.addEventListener('abort', abort, { once: true })
  if (signal?.aborted) abort()
  child.stdin?.on('error', () => {}).end(program.stdin ?? '') // it may end without reading it
  const result = async (): Promise<Result> => {
    const code = await exited(child).finally(() => clearTimeout(timer))
    namespaces?.close()
    const isOutOfMemory = why === 'exit' && code !== 0 && (await ranOutOfMemory(container.groups))
    await removeContainer(container)
    await drained(child) // all holders of its pipes are dead by now
    return { ended: isOutOfMemory ? 'memory' : why, code: namespaces && why !== 'exit' ? killed : code, ...output() }
  }
  const done = result()
  const pathOf = (name: string) => `${namespaces?.sockets ?? container.sockets}/${name}`
  let isDone = false
  void done
    .catch(() => {})
    .finally(() => {
      isDone = true
      signal?.removeEventListener('abort', abort)
    })
  return {
    done,
    socket: (name) => socketOf(pathOf(name), done, () => isDone),
    pathOf,
    async limitCpus(cpus) {
      // A program that is ending has no group any more.
      await limitCpus(container.groups, cpus).catch((error) => {
        if (why === 'exit' && !isDone && error.code !== 'ENOENT') throw error
      })
    },
    async stop() {
      end('stopped')
      return await done
    },
  }
}

/** Collects the output up to its limit; or streams it, up to that much per second. */
function collect(
  child: ChildProcess,
  { outputBytes }: Limits,
  onOutput: RunOptions['onOutput'],
  onTooMuch: () => void,
) {
  const output = { stdout: [] as Buffer[], stderr: [] as Buffer[] }
  let bytesLeft = outputBytes
  const refill = onOutput && setInterval(() => (bytesLeft = outputBytes), 1_000).unref()
  child.once('exit', () => clearInterval(refill))
  for (const name of ['stdout', 'stderr'] as const) {
    const consume = onOutput ?? ((chunk: Buffer) => output[name].push(chunk))
    child[name]?.on('data', (chunk: Buffer) => {
      if (bytesLeft > 0) consume(chunk.subarray(0, bytesLeft), name)
      bytesLeft -= chunk.length
      if (bytesLeft < 0) onTooMuch()
    })
  }
  return () => ({ stdout: Buffer.concat(output.stdout), stderr: Buffer.concat(output.stderr) })
}

const exited = (child: ChildProcess) =>
  new Promise<number>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal ?? 'SIGKILL']))
  })

async function drained({ stdout, stderr }: ChildProcess): Promise<void> {
  const open = [stdout, stderr].filter((stream) => stream && !stream.closed)
  await Promise.all(open.map((stream) => new Promise((resolve) => stream?.once('close', resolve))))
}

/** A socket's path exists before it listens, so only a connection shows it. */
async function isListening(path: string): Promise<boolean> {
  const socket = connect(path)
  const isOpen = await new Promise<boolean>((resolve) => {
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false))
  })
  socket.destroy()
  return isOpen
}

async function socketOf(path: string, done: Promise<Result>, isDone: () => boolean): Promise<string> {
  while (!isDone()) {
    if (await isListening(path)) return path
    await delay(5)
  }
  const { ended, code, stderr } = await done
  const last = stderr.toString('utf8').slice(-500).trim()
  throw new Failure('unavailable', `The program ended before it listened (${ended}, code ${code}): ${last}`)
}
