import type { Report } from '../engine/report.ts'
import type { TracedCall } from '../engine/trace.ts'

const hex = (value: number) => `0x${value.toString(16)}`

export const callLine = ({ name, arguments: values, result }: TracedCall) =>
  `${name}(${values.join(', ')})${result === '' ? '' : ` = ${result}`}`

/** A report as lines: what the file is, the calls and what happened between them, and the end. */
export function outputOf(report: Report): string[] {
  const { calls, events, callCount } = report
  const happened = Object.groupBy(events, ({ afterCalls }) => afterCalls)
  const between = (index: number) => (happened[index] ?? []).map(({ text }) => `* ${text}`)
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

/** What the bytes of an unpacked file do not say. */
export function unpackedHeaders({ packer, layers, before, after, stopped }: Report): Record<string, string> {
  return {
    'unpack-packer': packer,
    'unpack-layers': String(layers.length),
    'unpack-entry-point': hex(after?.entry ?? 0),
    'unpack-entropy': `${before.entropy} ${after?.entropy ?? 0}`,
    'unpack-imports': String(after?.imports.length ?? 0),
    // Names of the sample's own may be in it.
    'unpack-ended': `${stopped.why}: ${stopped.text}`.replace(/[^ -~]/g, '?').slice(0, 200),
  }
}
