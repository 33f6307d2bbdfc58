import type { ParseArgsConfig } from 'node:util'
import { duration } from '@icosa/settings'

/** What a person at the shell said. */
export interface Arguments {
  readonly words: readonly string[]
  readonly flags: Readonly<Record<string, string | boolean | undefined>>
  /** Adds to the command's entry in the audit log what its arguments do not tell. */
  note(fact: AuditFact): void
}

export interface AuditFact {
  /** Whom the command is about, if no flag `--tenant` names it. */
  readonly tenant?: string
  /** Of the thing that was created, such as a key. Never a secret. */
  readonly id?: string
}

/**
 * What the audit log gets of an action beside its words: the values of these flags, none of which may hold a secret. False for an
 * action that only reads. An action that hands out a secret, or acts with a token that it issues to itself, does not only read.
 */
export type Audited =
  | false
  | readonly string[]
  /** Only so many of the words, where a later one may hold a secret. */
  | { readonly flags: readonly string[]; readonly words: number }

/** One word after `icosa`. What it is given beside the words depends on whose command it is. */
export interface Command<Given = unknown> {
  readonly name: string
  readonly usage: string
  readonly summary: string
  readonly flags: NonNullable<ParseArgsConfig['options']>
  /** Of a command with actions, by the word that names each; '' without one. An action that is not listed here does not run. */
  readonly audited: Audited | Readonly<Record<string, Audited | ((words: Arguments['words']) => Audited)>>
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
