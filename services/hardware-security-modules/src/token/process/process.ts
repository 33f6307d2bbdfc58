import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Failure, type Kind } from '@icosa/kernel'
import type { CallName, Input, Output, TokenConfig } from '../calls.ts'
import { prepareFolder, zeroiseFolder } from '../files.ts'
import { refusalOf } from '../refusals.ts'
import { bundled, type Request, type Response } from './messages.ts'

/** The process of a token ended during a call. The next call starts another. */
export class TokenLost extends Failure {
  constructor(reason: string) {
    super('unavailable', `The token's process ended (${reason}): try again.`, {
      code: 'TokenLost',
      retryAfterSeconds: 1,
    })
  }
}

/** A process with one token. Calls may overlap. */
export interface TokenProcess {
  readonly pid: number | undefined
  readonly isAlive: boolean
  /** Number of calls in progress. */
  readonly running: number
  ask<C extends CallName>(call: C, input: Input<C>): Promise<Output<C>>
  /** Ends the process, and zeroises the token's files. */
  close(): Promise<void>
}

/** Makes the kernel kill the process with its node, even while it runs native code. */
const setpriv = '/usr/bin/setpriv'
const memoryCheckMs = 1_000
const main = new URL('./main.ts', import.meta.url)

export interface ProcessLimits {
  readonly callMs: number
  /** For calls that may generate an RSA key. */
  readonly makeMs: number
  readonly memoryMb: number
}
const defaultLimits: ProcessLimits = { callMs: 30_000, makeMs: 120_000, memoryMb: 512 }

const slowCalls: ReadonlySet<CallName> = new Set(['make', 'unwrap', 'create'])

/** Throws if the folder is not writable. */
export function startProcess(config: TokenConfig, limits: ProcessLimits = defaultLimits): TokenProcess {
  prepare(config)
  const run = [process.execPath, `--max-old-space-size=${limits.memoryMb}`, fileURLToPath(main), JSON.stringify(config)]
  const [command = '', ...args] = existsSync(setpriv) ? [setpriv, '--pdeathsig', 'KILL', ...run] : run
  const child = spawn(command, args, {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
    env: environmentOf(config),
  })
  const pending = new Map<number, (response: Response | TokenLost) => void>()
  let [nextId, isAlive] = [0, true]

  function end(reason: string): void {
    if (!isAlive) return
    isAlive = false
    clearInterval(watch)
    for (const settle of [...pending.values()]) settle(new TokenLost(reason))
    pending.clear()
    if (hasEnded(child)) zeroise()
    else child.once('exit', zeroise).kill('SIGKILL') // after its exit: it might still write
  }
  function zeroise(): void {
    if (config.keeps === 'sealed') zeroiseFolder(config.folder)
  }
  const watch = setInterval(async () => {
    if ((await residentMb(child)) > limits.memoryMb) end(`more than ${limits.memoryMb} MB of memory`)
  }, memoryCheckMs).unref()
  const send = bundled<Request>((requests) => child.connected && child.send(requests, () => {})) // `exit` reports its end
  child.on('message', (responses: readonly Response[]) => {
    for (const response of responses) pending.get(response.id)?.(response)
  })
  child.on('error', ({ message }) => end(message))
  child.on('exit', (code, signal) => end(signal ?? `exit code ${code}`))
  child.unref()
  child.channel?.unref()

  return {
    pid: child.pid,
    get isAlive() {
      return isAlive
    },
    get running() {
      return pending.size
    },
    ask<C extends CallName>(call: C, input: Input<C>) {
      if (!isAlive) return Promise.reject(new TokenLost('it was closed'))
      const id = nextId++
      if (pending.size === 0) refer(child, true)
      return new Promise<Output<C>>((resolve, reject) => {
        const timer = setTimeout(
          () => end(`${call} took too long`),
          slowCalls.has(call) ? limits.makeMs : limits.callMs,
        )
        pending.set(id, (response) => {
          clearTimeout(timer)
          pending.delete(id)
          if (pending.size === 0) refer(child, false)
          if (response instanceof TokenLost) reject(response)
          else if (response.error) reject(failureOf(response.error, call, config))
          else resolve(response.value as Output<C>)
        })
        send({ id, call, input })
      })
    },
    async close() {
      const exit = hasEnded(child) ? undefined : once(child, 'exit')
      child.ref() // keeps the program alive until the exit
      end('it was closed')
      await exit
    },
  }
}

const hasEnded = ({ exitCode, signalCode, pid }: ChildProcess) =>
  exitCode !== null || signalCode !== null || pid === undefined

/** Keeps the node's process alive during calls. */
function refer(child: ChildProcess, isNeeded: boolean): void {
  child[isNeeded ? 'ref' : 'unref']()
  child.channel?.[isNeeded ? 'ref' : 'unref']()
}

function prepare({ keeps, folder }: TokenConfig): void {
  if (keeps === 'library') return
  try {
    prepareFolder(folder)
  } catch (cause) {
    const { code = 'error' } = cause as NodeJS.ErrnoException
    throw new Failure(
      'unavailable',
      `The token folder ${folder} cannot be written (${code}): check its free space and permissions, or set ICOSA_HSM_FOLDER.`,
      { cause, code: 'TokenFolder' },
    )
  }
}

/** Excludes the node's own environment, which contains secrets. */
const environmentOf = ({ keeps, folder, environment }: TokenConfig): NodeJS.ProcessEnv =>
  keeps === 'sealed' ? { SOFTHSM2_CONF: join(folder, 'softhsm2.conf') } : { ...environment }

async function residentMb({ pid }: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024
}

function failureOf(error: NonNullable<Response['error']>, call: CallName, config: TokenConfig): Failure {
  if (error.kind !== undefined) return new Failure(error.kind as Kind, error.message)
  return refusalOf(error, call, config)
}
