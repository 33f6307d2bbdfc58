import type { ParseArgsConfig } from 'node:util'
import type { Config } from './config.ts'

export interface Arguments {
  readonly words: readonly string[]
  readonly flags: Readonly<Record<string, string | boolean | undefined>>
  readonly config: Config
}

/** One word after `icosa`. */
export interface Command {
  readonly name: string
  readonly usage: string
  readonly summary: string
  readonly flags: NonNullable<ParseArgsConfig['options']>
  run(args: Arguments): Promise<void>
}

/** A mistake of the person at the shell: shown without a stack, with what to do next. */
export class UsageError extends Error {}

export function text(flags: Arguments['flags'], name: string): string | undefined {
  const value = flags[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** A flag that holds a whole number. */
export function whole(flags: Arguments['flags'], name: string, otherwise: number): number {
  const value = text(flags, name) ?? String(otherwise)
  if (!/^\d{1,9}$/.test(value))
    throw new UsageError(`--${name} is '${value}': give it a whole number, such as ${otherwise}.`)
  return Number(value)
}

export function print(line = ''): void {
  process.stdout.write(`${line}\n`)
}

/** Progress and remarks go to stderr: stdout belongs to the answer. */
export function remark(line: string): void {
  process.stderr.write(`${line}\n`)
}

/** Columns as wide as their widest cell. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => (row[column] ?? '').length)))
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd()
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}

const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** `90s`, `15m`, `1h`, `30d`. */
export function durationMs(words: string): number {
  const [, amount, unit = ''] = /^(-?\d+)(ms|s|m|h|d)$/.exec(words) ?? []
  const factor = units[unit]
  if (amount === undefined || factor === undefined)
    throw new UsageError(`'${words}' is not a duration: write a number with ms, s, m, h or d, such as 90s or 1h.`)
  return Number(amount) * factor
}
