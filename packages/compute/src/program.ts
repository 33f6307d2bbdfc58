import { type ChildProcess, spawn } from 'node:child_process'
import { constants, getPriority, setPriority } from 'node:os'
import { Readable } from 'node:stream'
import { Failure } from '@icosa/kernel'

export interface ProgramOptions extends StartOptions {
  /** A stream that fails ends the program before it could take what it has read for all there is. */
  readonly input?: string | Uint8Array | Readable
  readonly deadlineMs?: number
  /** How much it may print; more of it ends the program. */
  readonly outputBytes?: number
}

export interface StartOptions {
  /** Ends the program and rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** Whatever runs like the node itself goes before it. */
  readonly isBackground?: boolean
  /** What it sees of the environment beside the PATH: passwords, which arguments would show to everybody. */
  readonly env?: Readonly<Record<string, string>>
}

export type WhyFailed = 'missing' | 'deadline' | 'output' | 'exit'

/** The program has no result. */
export class ProgramFailed extends Failure {
  readonly why: WhyFailed
  /** The signal that ended it, if one of its own did. */
  readonly signal: NodeJS.Signals | undefined

  constructor(why: WhyFailed, message: string, signal?: NodeJS.Signals | null) {
    super('unavailable', message)
    this.why = why
    this.signal = signal ?? undefined
  }
}

/** As much of its complaints as fits a message. */
export const complaintLength = 300

/**
 * What a program on this machine prints. No shell reads its arguments, and of the node's environment, where keys are, it
 * sees only the PATH. When this settles, it has ended, and so has everything it started in its process group.
 */
export async function runProgram(
  name: string,
  args: readonly string[],
  { input = '', deadlineMs = 30_000, outputBytes = 16 * 1024 ** 2, signal, ...options }: ProgramOptions = {},
): Promise<Buffer> {
  signal?.throwIfAborted()
  const child = startProgram(name, args, options)
  const printed: Buffer[] = []
  let left = outputBytes
  let complaint = ''
  let ended: WhyFailed | 'aborted' | 'input' | undefined
  let inputError: unknown
  const end = (why: typeof ended) => {
    ended ??= why
    killGroup(child)
    // What has left the group may hold them open.
    child.stdout?.destroy()
    child.stderr?.destroy()
  }
  child.stdout?.on('data', (chunk: Buffer) => {
    printed.push(chunk)
    left -= chunk.length
    if (left < 0) end('output')
  })
  child.stderr?.on('data', (chunk) => {
    complaint = (complaint + chunk).slice(0, complaintLength)
  })
  child.stdin?.on('error', () => {}) // it may end without having read it
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
      throw new ProgramFailed(ended, `${name} took longer than the ${deadlineMs / 1_000} s it may take.`)
    if (ended === 'output') throw new ProgramFailed(ended, `${name} printed more than ${outputBytes} bytes.`)
    if (code !== 0)
      throw new ProgramFailed('exit', `${name} gave up: ${complaint.trim() || killedBy || code}`, killedBy)
    return Buffer.concat(printed)
  } catch (error) {
    throw isSystemError(error) ? unstarted(name, error) : error
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
    if (input instanceof Readable) input.destroy()
  }
}

const lowestPriority = constants.priority.PRIORITY_LOW

/** What it starts in its process group ends with it. */
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

/** At once: a program may ignore any signal but this one. */
export function killGroup(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  } catch {
    child.kill('SIGKILL') // where there are no groups; and where nobody is left, there is nothing to do
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
