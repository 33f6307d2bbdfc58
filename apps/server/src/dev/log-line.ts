import { styleText } from 'node:util'
import { printable } from '@icosa/module'

/** The fields of a log line that are shown to users. */
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

/** Returns undefined for other text, such as a remark. */
export function readLogLine(text: string): LogLine | undefined {
  if (!text.startsWith('{"level":')) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Formats a line for `icosa logs` and the terminal of `icosa dev`. Stacks are only in the file. */
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

/** Messages may contain a caller's input, which must inject neither terminal control sequences nor log lines. */
const oneLine = (words: string) => printable(words.replace(/\s+/g, ' '))

/** Formats the log lines within text written to stderr. */
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

/** Whether a line concerns a service: one of its requests, or a message of its own. */
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
