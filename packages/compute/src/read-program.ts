import { PassThrough, type Readable } from 'node:stream'
import {
  closed,
  isSystemError,
  killGroup,
  maxComplaintLength,
  ProgramFailed,
  type StartOptions,
  startProgram,
  unstarted,
} from './program.ts'

/**
 * Streams the output of a program, with backpressure. The stream ends if the program succeeds, and fails otherwise;
 * destroying it kills the program.
 */
export function readProgram(
  name: string,
  args: readonly string[],
  { signal, ...options }: StartOptions = {},
): Readable {
  const content = new PassThrough()
  if (signal?.aborted) return content.destroy(reasonOf(signal))
  const child = startProgram(name, args, options)
  let complaint = ''
  child.stderr?.on('data', (chunk) => {
    complaint = (complaint + chunk).slice(0, maxComplaintLength)
  })
  child.stdin?.on('error', () => {}).end()
  child.stdout?.pipe(content, { end: false })
  const abort = () => content.destroy(reasonOf(signal))
  signal?.addEventListener('abort', abort, { once: true })
  content.once('close', () => {
    signal?.removeEventListener('abort', abort)
    killGroup(child)
    child.stdout?.destroy()
  })
  closed(child).then(
    ([code, killedBy]) => {
      if (code === 0) content.end()
      else
        content.destroy(new ProgramFailed('exit', `${name} failed: ${complaint.trim() || killedBy || code}`, killedBy))
    },
    (error) => content.destroy(isSystemError(error) ? unstarted(name, error) : error),
  )
  return content
}

const reasonOf = (signal: AbortSignal | undefined): Error =>
  signal?.reason instanceof Error ? signal.reason : new Error(`Ended: ${signal?.reason}.`)
