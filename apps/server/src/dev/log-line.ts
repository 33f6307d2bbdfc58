import { styleText } from 'node:util'
import { printable } from '@icosa/module'

/** A line of the log, as far as people want to see it. */
export interface LogLine {
  readonly level: number
  readonly time: number
  readonly msg?: string
  readonly operation?: string
  readonly status?: number
  readonly durationUs?: number
  readonly service?: string
  readonly err?: { readonly message?: string; readonly cause?: LogLine['err'] }
}

type Stream = NodeJS.WriteStream

/** Undefined for what is no line of a log, such as a remark. */
export function readLogLine(text: string): LogLine | undefined {
  if (!text.startsWith('{"level":')) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** `icosa logs` and the terminal of `icosa dev` show the same: time, what, how it ended. Stacks are in the file. */
export function shownLine(line: LogLine, stream: Stream): string {
  const { level, time, msg = '', operation, status, durationUs, service } = line
  const at = styleText('dim', timeOf(time), { stream })
  if (operation !== undefined && status !== undefined && durationUs !== undefined)
    return `${at} ${operation} ${statusShown(status, stream)} ${(durationUs / 1000).toFixed(1)} ms`
  const [name, color] = levelOf(level)
  const reasons = reasonsOf(line.err)
  const because = reasons.length > 0 ? `: ${reasons.join(': ')}` : ''
  const words = oneLine(`${service ? `${service}: ` : ''}${msg}${because}`)
  return `${at} ${styleText(color, name, { stream })} ${words}`
}

/** What a message says may be a caller's: it must neither command the terminal nor pass for lines of its own. */
const oneLine = (words: string) => printable(words.replace(/\s+/g, ' '))

/** Text as it was written to stderr, with the lines of the log in it as people read them. */
export const shownText = (text: string, stream: Stream) =>
  text.includes('{"level":')
    ? text
        .split('\n')
        .map((one) => {
          const line = readLogLine(one)
          return line ? shownLine(line, stream) : one
        })
        .join('\n')
    : text

/** Whether a line is about a service: one of its requests, or its own. */
export const isOf = ({ operation, service }: LogLine, name: string) =>
  service === name || operation?.startsWith(`${name}:`) === true

const timeOf = (time: number) => new Date(time).toTimeString().slice(0, 8)

const statusShown = (status: number, stream: Stream) =>
  styleText(status >= 500 ? 'red' : status >= 400 ? 'yellow' : 'green', String(status), { stream })

function levelOf(level: number) {
  if (level >= 50) return ['error', 'red'] as const
  return level >= 40 ? (['warning', 'yellow'] as const) : (['info', 'dim'] as const)
}

function reasonsOf(err: LogLine['err'], depth = 0): string[] {
  if (!err || depth > 3) return []
  return [...(err.message ? [err.message.split('\n', 1).join()] : []), ...reasonsOf(err.cause, depth + 1)]
}
