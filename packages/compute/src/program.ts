import { type ChildProcess, spawn } from 'node:child_process'
import { constants, getPriority, setPriority } from 'node:os'
import { Readable } from 'node:stream'
import { Failure } from '@icosa/kernel'

export interface ProgramOptions extends StartOptions {
  /** A failing stream kills the program before it could take partial input for complete. */
  readonly input?: string | Uint8Array | Readable
  readonly deadlineMs?: number
  /** Maximum output; exceeding it kills the program. */
  readonly outputBytes?: number
}

export interface StartOptions {
  /** Kills the program and rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** Runs at a lower priority than the node. */
  readonly isBackground?: boolean
  /** Environment besides PATH: for passwords, which arguments would reveal to other users. */
  readonly env?: Readonly<Record<string, string>>
}

export type WhyFailed = 'missing' | 'deadline' | 'output' | 'exit'

/** The program failed without a result. */
export class ProgramFailed extends Failure {
  readonly why: WhyFailed
  /** The signal that killed it, unless sent by us. */
  readonly signal: NodeJS.Signals | undefined

  constructor(why: WhyFailed, message: string, signal?: NodeJS.Signals | null) {
    super('unavailable', message)
    this.why = why
    this.signal = signal ?? undefined
  }
}

/** Maximum length of stderr in a message. */
export const maxComplaintLength = 300

/**
 * Returns the output of a program on this machine. No shell parses its arguments, and it sees only PATH of the node's
 * environment, which contains keys. When the promise settles, the program has ended, and so has its process group.
 */
export async function runProgram(
  name: string,
  args: readonly string[],
  { input = '', deadlineMs = 30_000, outputBytes = 16 * 1024 ** 2, signal, ...options }: ProgramOptions = {},
): Promise<Buffer> {
  signal?.throwIfAborted()
  const child = startProgram(name, args, options)
  const output: Buffer[] = []
  let bytesLeft = outputBytes
  let complaint = ''
  let ended: WhyFailed | 'aborted' | 'input' | undefined
  let inputError: unknown
  const end = (why: typeof ended) => {
    ended ??= why
    killGroup(child)
    // Descendants outside the group may keep them open.
    child.stdout?.destroy()
    child.stderr?.destroy()
  }
  child.stdout?.on('data', (chunk: Buffer) => {
    output.push(chunk)
    bytesLeft -= chunk.length
    if (bytesLeft < 0) end('output')
  })
  child.stderr?.on('data', (chunk) => {
    complaint = (complaint + chunk).slice(0, maxComplaintLength)
  })
  child.stdin?.on('error', () => {}) // it may end without reading it
  if (input instanceof Readable) {
    const fail = (error?: unknown) => {
      if (input.readableEnded) return
      inputError ??= error ?? new Error('The input ended early.')
      end('input')
    }
    input.once('error', fail).once('close', fail)
    if (input.destroyed) fail(input.errored)
    else if (child.stdin) input.pipe(child.stdin)
  } else child.stdin?.end(input)
  const timer = setTimeout(end, deadlineMs, 'deadline')
  const abort = () => end('aborted')
  signal?.addEventListener('abort', abort, { once: true })
  try {
    const [code, killedBy] = await closed(child)
    if (ended === 'aborted') throw signal?.reason
    if (ended === 'input') throw inputError
    if (ended === 'deadline')
      throw new ProgramFailed(ended, `${name} exceeded its time limit of ${deadlineMs / 1_000} s.`)
    if (ended === 'output') throw new ProgramFailed(ended, `${name} printed more than ${outputBytes} bytes.`)
    if (code !== 0) throw new ProgramFailed('exit', `${name} failed: ${complaint.trim() || killedBy || code}`, killedBy)
    return Buffer.concat(output)
  } catch (error) {
    throw isSystemError(error) ? unstarted(name, error) : error
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
    if (input instanceof Readable) input.destroy()
  }
}

const lowestPriority = constants.priority.PRIORITY_LOW

/** Starts a program as leader of a process group, which is killed when it ends. */
export function startProgram(name: string, args: readonly string[], { env, isBackground }: StartOptions): ChildProcess {
  const child: ChildProcess = spawn(name, args, {
    env: { PATH: process.env.PATH, ...env },
    cwd: '/',
    detached: true,
    stdio: 'pipe',
  })
  if (isBackground && child.pid !== undefined)
    setPriority(child.pid, Math.min(getPriority() + constants.priority.PRIORITY_BELOW_NORMAL, lowestPriority))
  child.once('exit', () => killGroup(child))
  return child
}

export const closed = (child: ChildProcess) =>
  new Promise<[code: number | null, killedBy: NodeJS.Signals | null]>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, killedBy) => resolve([code, killedBy]))
  })

/** SIGKILL, since a program may ignore any other signal. */
export function killGroup(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  } catch {
    child.kill('SIGKILL') // without process groups; no effect if nothing is left
  }
}

export const isSystemError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'syscall' in error && String(error.syscall).startsWith('spawn')

export function unstarted(name: string, { code }: NodeJS.ErrnoException): ProgramFailed {
  const isMissing = code === 'ENOENT' || code === 'EACCES'
  return new ProgramFailed(
    'missing',
    isMissing ? `${name} is not installed.` : `${name} could not be started (${code}).`,
  )
}
