import type { Report } from '../engine/report.ts'
import type { TracedCall } from '../engine/trace.ts'

const hex = (value: number) => `0x${value.toString(16)}`

export const callLine = ({ name, arguments: values, result }: TracedCall) =>
  `${name}(${values.join(', ')})${result === '' ? '' : ` = ${result}`}`

/** Formats a report as lines: file, calls with events between them, end. */
export function outputOf(report: Report): string[] {
  const { calls, events, callCount } = report
  const eventsByCall = Object.groupBy(events, ({ afterCalls }) => afterCalls)
  const between = (index: number) => (eventsByCall[index] ?? []).map(({ text }) => `* ${text}`)
  return [
    `* ${report.format}, packer: ${report.packer}, entry point ${hex(report.before.entry)}, entropy ${report.before.entropy}`,
    ...calls.flatMap((call, index) => [...between(index), callLine(call)]),
    ...between(calls.length),
    ...(callCount > calls.length
      ? [`* ${(callCount - calls.length).toLocaleString('en')} more calls are not listed`]
      : []),
    report.after
      ? `* unpacked: entry point ${hex(report.after.entry)}, ${report.after.imports.length} imports, entropy ${report.after.entropy}`
      : `* not unpacked: ${report.why}`,
    `* ended (${report.stopped.why}): ${report.stopped.text}`,
  ]
}

/** Headers that describe an unpacked file. */
export function unpackedHeaders({ packer, layers, before, after, stopped }: Report): Record<string, string> {
  return {
    'unpack-packer': packer,
    'unpack-layers': String(layers.length),
    'unpack-entry-point': hex(after?.entry ?? 0),
    'unpack-entropy': `${before.entropy} ${after?.entropy ?? 0}`,
    'unpack-imports': String(after?.imports.length ?? 0),
    // May contain names that the sample chose.
    'unpack-ended': `${stopped.why}: ${stopped.text}`.replace(/[^ -~]/g, '?').slice(0, 200),
  }
}
