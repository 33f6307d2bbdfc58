import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Failure, type Kind } from '@icosa/kernel'
import type { Answered, CallName, Given, Surroundings } from '../calls.ts'
import { prepareFolder, zeroiseFolder } from '../files.ts'
import { refusalOf } from '../refusals.ts'
import { type Asked, bundled, type Told } from './messages.ts'

/** The call has no answer, because the process of its token is no more. The next one starts another. */
export class TokenLost extends Failure {
  constructor(why: string) {
    super('unavailable', `The token's process ended (${why}): try again.`, { code: 'TokenLost', retryAfterSeconds: 1 })
  }
}

/** A process with one token. Calls may overlap. */
export interface TokenProcess {
  readonly pid: number | undefined
  readonly isAlive: boolean
  /** Calls that have no answer yet. */
  readonly running: number
  ask<C extends CallName>(call: C, given: Given<C>): Promise<Answered<C>>
  /** Ends it and leaves nothing of the token on this machine, where the platform keeps it. */
  close(): Promise<void>
}

/** Debian's: the kernel kills the process with its node, even one that is in native code and hears nothing. */
const setpriv = '/usr/bin/setpriv'
const lookEveryMs = 1_000
const main = new URL('./main.ts', import.meta.url)

export interface ProcessLimits {
  /** For a call, and for one that makes an RSA key. */
  readonly callMs: number
  readonly makeMs: number
  readonly memoryMb: number
}
const defaultLimits: ProcessLimits = { callMs: 30_000, makeMs: 120_000, memoryMb: 512 }

const long: ReadonlySet<CallName> = new Set(['make', 'unwrap', 'create'])

/** Throws what is wrong with the folder, in words. */
export function startProcess(around: Surroundings, limits: ProcessLimits = defaultLimits): TokenProcess {
  prepare(around)
  const run = [process.execPath, `--max-old-space-size=${limits.memoryMb}`, fileURLToPath(main), JSON.stringify(around)]
  const [command = '', ...args] = existsSync(setpriv) ? [setpriv, '--pdeathsig', 'KILL', ...run] : run
  const child = spawn(command, args, {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
    env: environmentOf(around),
  })
  const waiting = new Map<number, (told: Told | TokenLost) => void>()
  let [turns, isAlive] = [0, true]

  function end(why: string): void {
    if (!isAlive) return
    isAlive = false
    clearInterval(watch)
    for (const take of [...waiting.values()]) take(new TokenLost(why))
    waiting.clear()
    if (hasEnded(child)) zeroise()
    else child.once('exit', zeroise).kill('SIGKILL') // not before: it might still write
  }
  function zeroise(): void {
    if (around.keeps === 'sealed') zeroiseFolder(around.folder)
  }
  const watch = setInterval(async () => {
    if ((await residentMb(child)) > limits.memoryMb) end(`more than ${limits.memoryMb} MB of memory`)
  }, lookEveryMs).unref()
  const send = bundled<Asked>((all) => child.connected && child.send(all, () => {})) // that it ended is told by `exit`
  child.on('message', (all: readonly Told[]) => {
    for (const told of all) waiting.get(told.turn)?.(told)
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
      return waiting.size
    },
    ask<C extends CallName>(call: C, given: Given<C>) {
      if (!isAlive) return Promise.reject(new TokenLost('it was closed'))
      const turn = turns++
      if (waiting.size === 0) refer(child, true)
      return new Promise<Answered<C>>((resolve, reject) => {
        const timer = setTimeout(() => end(`${call} took too long`), long.has(call) ? limits.makeMs : limits.callMs)
        waiting.set(turn, (told) => {
          clearTimeout(timer)
          waiting.delete(turn)
          if (waiting.size === 0) refer(child, false)
          if (told instanceof TokenLost) reject(told)
          else if (told.error) reject(failureOf(told.error, call, around))
          else resolve(told.value as Answered<C>)
        })
        send({ turn, call, given })
      })
    },
    async close() {
      const exit = hasEnded(child) ? undefined : once(child, 'exit')
      child.ref() // or a program that waits for nothing else would end here
      end('it was closed')
      await exit
    },
  }
}

const hasEnded = ({ exitCode, signalCode, pid }: ChildProcess) =>
  exitCode !== null || signalCode !== null || pid === undefined

/** While a call is under way, the process of the node waits for it. */
function refer(child: ChildProcess, isNeeded: boolean): void {
  child[isNeeded ? 'ref' : 'unref']()
  child.channel?.[isNeeded ? 'ref' : 'unref']()
}

function prepare({ keeps, folder }: Surroundings): void {
  if (keeps === 'library') return
  try {
    prepareFolder(folder)
  } catch (cause) {
    const { code = 'error' } = cause as NodeJS.ErrnoException
    throw new Failure(
      'unavailable',
      `The folder of tokens ${folder} cannot be written (${code}): see to its room and permissions, or set ICOSA_HSM_FOLDER.`,
      { cause, code: 'TokenFolder' },
    )
  }
}

/** Nothing of the node's own environment, which has secrets. */
const environmentOf = ({ keeps, folder, environment }: Surroundings): NodeJS.ProcessEnv =>
  keeps === 'sealed' ? { SOFTHSM2_CONF: join(folder, 'softhsm2.conf') } : { ...environment }

async function residentMb({ pid }: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024
}

function failureOf(error: NonNullable<Told['error']>, call: CallName, around: Surroundings): Failure {
  if (error.kind !== undefined) return new Failure(error.kind as Kind, error.message)
  return refusalOf(error, call, around)
}
