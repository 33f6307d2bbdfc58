import { setTimeout as sleep } from 'node:timers/promises'
import type { ReadingDb } from '@icosa/kernel'
import { type EntryKind, following, latest, preceding, type StoredEntry } from '../journal/store.ts'

export interface TailOptions {
  readonly tenant: string
  /** Number of earlier entries to show first. */
  readonly last?: number
  /** Kinds of entries to show; all by default. */
  readonly kinds?: readonly EntryKind[]
  readonly signal: AbortSignal
}

const pollMs = 250
const pageSize = 500

/**
 * Follows the journal of a tenant, for `icosa events tail`. Yields every entry exactly once, after all earlier transactions.
 */
export async function* tail(db: ReadingDb, options: TailOptions): AsyncGenerator<StoredEntry> {
  const { tenant, last = 10, kinds, signal } = options
  const isRequested = ({ kind }: StoredEntry) => kinds?.includes(kind) ?? true
  let cursor = await latest(db, tenant)
  yield* (await preceding(db, tenant, cursor, last)).filter(isRequested)
  while (!signal.aborted) {
    const entries = await following(db, tenant, cursor, pageSize)
    for (const entry of entries) {
      cursor = entry
      if (isRequested(entry)) yield entry
    }
    if (entries.length < pageSize) await sleep(pollMs, undefined, { signal }).catch(() => {}) // aborted: the loop ends
  }
}

/** Formats an entry: `2026-01-01T12:00:00.000Z  swing/a  Left -> Right  swung (message m1)`. */
export const lineOf = (entry: StoredEntry): string => `${entry.at.toISOString()}  ${wordsOf(entry)}`

/** Formats an entry without its time. */
export function wordsOf({ kind, modelName, key, entry }: StoredEntry): string {
  const instance = key === '' ? modelName : `${modelName}/${key}`
  return [instance, descriptions[kind](entry)].join('  ')
}

type Content = StoredEntry['entry']

const descriptions: Readonly<Record<EntryKind, (entry: Content) => string>> = {
  transition: ({ from, to, eventName, messageId, timerName }) => {
    const cause = messageId ? `message ${messageId}` : timerName ? `timer ${timerName}` : undefined
    return [from ? `${from} -> ${to}` : `starts in ${to}`, eventName, cause && `(${cause})`].filter(Boolean).join('  ')
  },
  failure: ({ action, target, reason }) => `${action} ${JSON.stringify(target)} was not delivered: ${reason}`,
  error: ({ path, expression, message }) => `${path}: ${message}${expression ? ` in '${expression}'` : ''}`,
  message: ({ inputName, messageId }) => `received message ${messageId} of ${inputName}`,
}
