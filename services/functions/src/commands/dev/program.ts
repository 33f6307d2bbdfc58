import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Runtime } from '../../runtimes/index.ts'

export interface ProgramOptions {
  readonly runtime: Runtime
  readonly folder: string
  readonly entryPoint: string
  readonly signature: 'http' | 'cloudevent'
  readonly environment: Readonly<Record<string, string>>
  /** Port of the debugger on loopback. */
  readonly debugPort: number | undefined
  onLine(text: string, from: 'stdout' | 'stderr'): void
}

/** A function as a process of the developer. */
export interface Program {
  /** Resolves with the path of its socket, or undefined if it ended before it listened. */
  readonly socket: Promise<string | undefined>
  readonly ended: Promise<number | null>
  stop(): Promise<void>
}

const memoryBytes = 512 * 2 ** 20
const stopMs = 2_000
const pollMs = 25

/** Starts the runner that also serves deployed functions, without a sandbox. */
export async function startProgram(options: ProgramOptions): Promise<Program> {
  const { folder, entryPoint, signature, environment, runtime } = options
  const sockets = await mkdtemp(join(tmpdir(), 'icosa-dev-'))
  const [command = '', ...args] = argvOf(options)
  const env = { FUNCTION_TARGET: entryPoint, FUNCTION_SIGNATURE_TYPE: signature, K_SERVICE: entryPoint, PORT: '8080' }
  const child = spawn(command, [...args, folder, sockets], {
    cwd: folder,
    env: { ...process.env, ...runtime.environment, NODE_ENV: 'development', ...environment, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  eachLine(child, options.onLine)
  let isEnded = false
  const ended = new Promise<number | null>((resolve) => {
    child.on('error', (error) => options.onLine(error.message, 'stderr'))
    child.on('close', (code) => {
      isEnded = true
      resolve(code)
    })
  }).finally(() => rm(sockets, { recursive: true, force: true }))
  const path = join(sockets, 'http')
  const listening = async () => {
    while (!isEnded) {
      if (await accepts(path)) return path
      await sleep(pollMs)
    }
    return undefined
  }
  return {
    socket: listening(),
    ended,
    async stop() {
      child.kill()
      const timer = setTimeout(() => child.kill('SIGKILL'), stopMs)
      await ended
      clearTimeout(timer)
    },
  }
}

/** Command line of a runtime on this machine, with its debugger. */
function argvOf({ runtime, debugPort }: ProgramOptions): string[] {
  const mounted =
    ({ from, to }: { readonly from: string; readonly to: string }) =>
    (path: string) =>
      path === to || path.startsWith(`${to}/`) ? from + path.slice(to.length) : path
  const toHost = (path: string) => runtime.binds.reduce((at, bind) => mounted(bind)(at), path)
  const [program = '', ...args] = runtime.argv({ memoryBytes }).map(toHost)
  if (debugPort === undefined) return [program, ...args]
  const at = `127.0.0.1:${debugPort}`
  return runtime.name.startsWith('python')
    ? [program, '-m', 'debugpy', '--listen', at, ...args.filter((arg) => !arg.startsWith('-'))]
    : [program, `--inspect=${at}`, ...args]
}

function accepts(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path)
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false))
    socket.on('connect', () => socket.destroy())
  })
}

function eachLine({ stdout, stderr }: ChildProcess, onLine: ProgramOptions['onLine']): void {
  for (const [stream, from] of [[stdout, 'stdout'] as const, [stderr, 'stderr'] as const]) {
    let rest = ''
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) onLine(line, from)
    })
    stream?.on('end', () => rest && onLine(rest, from))
  }
}
