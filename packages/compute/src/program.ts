import { type ChildProcess, spawn } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { Failure } from '@icosa/kernel'

export interface ProgramOptions {
  readonly input?: string | Uint8Array
  readonly deadlineMs?: number
  /** How much it may print; more of it ends the program. */
  readonly outputBytes?: number
  /** Ends the program and rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** Everything else on the machine goes before it. */
  readonly isBackground?: boolean
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
const complaintLength = 300

/**
 * What a program on this machine prints. No shell reads its arguments, and of the node's environment, where keys are, it
 * sees only the PATH. When this settles, it has ended, and so has everything it started in its process group.
 */
export async function runProgram(
  name: string,
  args: readonly string[],
  { input = '', deadlineMs = 30_000, outputBytes = 16 * 1024 ** 2, signal, isBackground }: ProgramOptions = {},
): Promise<Buffer> {
  signal?.throwIfAborted()
  const env = { PATH: process.env.PATH }
  const child: ChildProcess = spawn(name, args, { env, cwd: '/', detached: true, stdio: 'pipe' })
  if (isBackground && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
  const printed: Buffer[] = []
  let left = outputBytes
  let complaint = ''
  let ended: WhyFailed | 'aborted' | undefined
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
  child.stdin?.on('error', () => {}).end(input) // it may end without having read it
  child.once('exit', () => killGroup(child))
  const timer = setTimeout(end, deadlineMs, 'deadline')
  const abort = () => end('aborted')
  signal?.addEventListener('abort', abort, { once: true })
  try {
    const [code, killedBy] = await closed(child)
    if (ended === 'aborted') throw signal?.reason
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
  }
}

const closed = (child: ChildProcess) =>
  new Promise<[code: number | null, killedBy: NodeJS.Signals | null]>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, killedBy) => resolve([code, killedBy]))
  })

/** At once: a program may ignore any signal but this one. */
function killGroup(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  } catch {
    child.kill('SIGKILL') // where there are no groups; and where nobody is left, there is nothing to do
  }
}

const isSystemError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'syscall' in error && String(error.syscall).startsWith('spawn')

function unstarted(name: string, { code }: NodeJS.ErrnoException): ProgramFailed {
  const isMissing = code === 'ENOENT' || code === 'EACCES'
  return new ProgramFailed(
    'missing',
    isMissing ? `${name} is not installed.` : `${name} could not be started (${code}).`,
  )
}
