import type { ParseArgsConfig } from 'node:util'
import { duration } from '@icosa/settings'

/** Command line arguments. */
export interface Arguments {
  readonly words: readonly string[]
  readonly flags: Readonly<Record<string, string | boolean | undefined>>
  /** Adds facts to the command's audit log entry that its arguments do not contain. */
  note(fact: AuditFact): void
}

export interface AuditFact {
  /** The tenant concerned, if no flag `--tenant` names it. */
  readonly tenant?: string
  /** ID of the created object, such as a key. Never a secret. */
  readonly id?: string
}

/**
 * Values of flags that the audit log records along with the action's words; none may be a secret. False for read-only
 * actions. An action that reveals a secret, or uses a token that it issues to itself, is not read-only.
 */
export type Audited =
  | false
  | readonly string[]
  /** Records only this many words, if a later one may be a secret. */
  | { readonly flags: readonly string[]; readonly words: number }

/** One word after `icosa`. `Given` depends on the command's owner. */
export interface Command<Given = unknown> {
  readonly name: string
  readonly usage: string
  readonly summary: string
  readonly flags: NonNullable<ParseArgsConfig['options']>
  /** For commands with actions, by action; '' without one. Actions not listed here do not run. */
  readonly audited: Audited | Readonly<Record<string, Audited | ((words: Arguments['words']) => Audited)>>
  run(args: Arguments & Given): Promise<void>
}

/** A mistake of the user: shown without a stack, with advice. */
export class UsageError extends Error {}

export function text(flags: Arguments['flags'], name: string): string | undefined {
  const value = flags[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** A flag with a whole number. */
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
