import { StringDecoder } from 'node:string_decoder'

export type Stream = 'stdout' | 'stderr' | 'platform'

/** A log line that a function printed, or that the platform adds. */
export interface Line {
  readonly stream: Stream
  readonly text: string
  /** Id of the request that printed it, where the runner reports it. */
  readonly invocation?: string
}

export interface Lines {
  write(chunk: Buffer, stream: 'stdout' | 'stderr'): void
  /** Adds a line of the platform. */
  report(text: string): void
  /** Returns the last lines, for error messages. */
  tail(): string
  /** Emits incomplete lines. */
  flush(): void
}

/** Longer lines are truncated. */
const maxChars = 16_384
/** Before parsing: the framework wraps the text in JSON. */
const maxRawChars = 65_536
/** Rate limit of one instance; further lines are dropped and counted. */
const perSecond = { lines: 1_000, bytes: 262_144 }
const tailLines = 15

export function openLines(emit: (line: Line) => void): Lines {
  const buffers = {
    stdout: { rest: '', decoder: new StringDecoder() },
    stderr: { rest: '', decoder: new StringDecoder() },
  }
  const tail: string[] = []
  let budget = { ...perSecond }
  let second = 0
  let dropped = 0
  const emitWithinRate = (line: Line) => {
    const now = Math.floor(performance.now() / 1_000)
    if (now !== second) {
      second = now
      budget = { ...perSecond }
      if (dropped > 0) emit({ stream: 'platform', text: `${dropped} lines were dropped: print less.` })
      dropped = 0
    }
    budget.lines--
    budget.bytes -= line.text.length
    if (budget.lines < 0 || budget.bytes < 0) dropped++
    else emit(line)
    tail.push(line.text.slice(0, 500))
    if (tail.length > tailLines) tail.shift()
  }
  const print = (raw: string, stream: 'stdout' | 'stderr') => {
    if (raw.trim() !== '') emitWithinRate({ stream, ...parsed(raw) })
  }
  return {
    write(chunk, stream) {
      const buffer = buffers[stream]
      const lines = (buffer.rest + buffer.decoder.write(chunk)).split('\n')
      buffer.rest = (lines.pop() ?? '').slice(0, maxRawChars)
      for (const line of lines) print(line, stream)
    },
    report: (text) => emitWithinRate({ stream: 'platform', text }),
    tail: () => tail.join('\n').slice(-2_000),
    flush() {
      for (const stream of ['stdout', 'stderr'] as const) {
        print(buffers[stream].rest, stream)
        buffers[stream].rest = ''
      }
      if (dropped > 0) emit({ stream: 'platform', text: `${dropped} lines were dropped: print less.` })
      dropped = 0
    },
  }
}

const labels = 'logging.googleapis.com/labels'
const spanId = 'logging.googleapis.com/spanId'

/** Parses the framework's JSON, which names the request of a line. JSON of the function itself is kept. */
function parsed(raw: string): Omit<Line, 'stream'> {
  const text = raw.slice(0, maxChars)
  if (!raw.startsWith('{') || !raw.includes(labels)) return { text }
  try {
    const { [labels]: labelled, [spanId]: _, ...rest } = JSON.parse(raw) as Record<string, unknown>
    const { execution_id: invocation, ...others } = labelled as Record<string, unknown>
    if (typeof invocation !== 'string') return { text }
    const isPlain = typeof rest.message === 'string' && Object.keys(rest).length === 1
    const content = isPlain
      ? String(rest.message).replace(/\n$/, '')
      : JSON.stringify(Object.keys(others).length > 0 ? { ...rest, [labels]: others } : rest)
    return { text: content.slice(0, maxChars), invocation }
  } catch {
    return { text }
  }
}
