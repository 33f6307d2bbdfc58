import type { ParseArgsConfig } from 'node:util'
import { duration } from '@icosa/settings'

/** What a person at the shell said. */
export interface Arguments {
  readonly words: readonly string[]
  readonly flags: Readonly<Record<string, string | boolean | undefined>>
}

/** One word after `icosa`. What it is given beside the words depends on whose command it is. */
export interface Command<Given = unknown> {
  readonly name: string
  readonly usage: string
  readonly summary: string
  readonly flags: NonNullable<ParseArgsConfig['options']>
  run(args: Arguments & Given): Promise<void>
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

/** `90s`, `15m`, `1h`, `30d`. */
export function durationMs(words: string): number {
  try {
    return duration.read(words)
  } catch {
    throw new UsageError(`'${words}' is not a duration: write ${duration.is}, such as ${duration.example}.`)
  }
}
