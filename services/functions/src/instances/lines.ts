import { StringDecoder } from 'node:string_decoder'

export type Stream = 'stdout' | 'stderr' | 'platform'

/** A line that a function printed, or that the platform has to say of it. */
export interface Line {
  readonly stream: Stream
  readonly text: string
  /** The request during which it was printed, where that is known. */
  readonly invocation?: string
}

export interface Lines {
  take(chunk: Buffer, stream: 'stdout' | 'stderr'): void
  say(text: string): void
  /** What was printed last, for messages. */
  last(): string
  /** Hands on what has no end of line yet. */
  end(): void
}

/** Longer ones are cut. */
const longest = 16_384
/** As they come: a line of the framework's is JSON around the text. */
const longestRaw = 65_536
/** What one instance may print in a second; the rest is counted, and dropped. */
const perSecond = { lines: 1_000, bytes: 262_144 }
const lastLines = 15

export function openLines(emit: (line: Line) => void): Lines {
  const open = { stdout: { rest: '', text: new StringDecoder() }, stderr: { rest: '', text: new StringDecoder() } }
  const last: string[] = []
  let left = { ...perSecond }
  let second = 0
  let dropped = 0
  const hand = (line: Line) => {
    const now = Math.floor(performance.now() / 1_000)
    if (now !== second) {
      second = now
      left = { ...perSecond }
      if (dropped > 0) emit({ stream: 'platform', text: `${dropped} lines were dropped: print less.` })
      dropped = 0
    }
    left.lines--
    left.bytes -= line.text.length
    if (left.lines < 0 || left.bytes < 0) dropped++
    else emit(line)
    last.push(line.text.slice(0, 500))
    if (last.length > lastLines) last.shift()
  }
  const print = (raw: string, stream: 'stdout' | 'stderr') => {
    if (raw.trim() !== '') hand({ stream, ...unwrapped(raw) })
  }
  return {
    take(chunk, stream) {
      const from = open[stream]
      const lines = (from.rest + from.text.write(chunk)).split('\n')
      from.rest = (lines.pop() ?? '').slice(0, longestRaw)
      for (const line of lines) print(line, stream)
    },
    say: (text) => hand({ stream: 'platform', text }),
    last: () => last.join('\n').slice(-2_000),
    end() {
      for (const stream of ['stdout', 'stderr'] as const) {
        print(open[stream].rest, stream)
        open[stream].rest = ''
      }
      if (dropped > 0) emit({ stream: 'platform', text: `${dropped} lines were dropped: print less.` })
      dropped = 0
    },
  }
}

const labels = 'logging.googleapis.com/labels'
const span = 'logging.googleapis.com/spanId'

/** Runners print JSON that says to which request a line belongs. A function may print JSON of its own, too. */
function unwrapped(raw: string): Omit<Line, 'stream'> {
  const text = raw.slice(0, longest)
  if (!raw.startsWith('{') || !raw.includes(labels)) return { text }
  try {
    const { [labels]: known, [span]: _, ...rest } = JSON.parse(raw) as Record<string, unknown>
    const { execution_id: invocation, ...others } = known as Record<string, unknown>
    if (typeof invocation !== 'string') return { text }
    const isPlain = typeof rest.message === 'string' && Object.keys(rest).length === 1
    const shown = isPlain
      ? String(rest.message).replace(/\n$/, '')
      : JSON.stringify(Object.keys(others).length > 0 ? { ...rest, [labels]: others } : rest)
    return { text: shown.slice(0, longest), invocation }
  } catch {
    return { text }
  }
}
