import { type Arguments, type Audited, UsageError } from '@icosa/module'
import type { Command } from '../command.ts'

/** An operator's action, with the arguments that the audit log records. */
export interface Action {
  /** `keys create`. */
  readonly operation: string
  readonly words: readonly string[]
  readonly flags: readonly string[]
}

/** Returns undefined for a read-only action; throws on one that the command does not declare. */
export function auditedAction({ name, usage, audited }: Command, said: Arguments['words']): Action | undefined {
  if (!isByAction(audited)) return actionOf(name, audited, said)
  const [action = '', ...words] = said
  const declared = Object.hasOwn(audited, action) ? audited[action] : undefined
  if (declared === undefined) throw new UsageError(`Usage: icosa ${usage}`)
  return actionOf(`${name} ${action}`.trim(), typeof declared === 'function' ? declared(said) : declared, words)
}

type ByAction = Exclude<Command['audited'], Audited>

const isByAction = (audited: Command['audited']): audited is ByAction =>
  audited !== false && !Array.isArray(audited) && !('flags' in audited)

function actionOf(operation: string, audited: Audited, words: readonly string[]): Action | undefined {
  if (audited === false) return undefined
  if ('flags' in audited) return { operation, words: words.slice(0, audited.words), flags: audited.flags }
  return { operation, words, flags: audited }
}
