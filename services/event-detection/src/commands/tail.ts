import { setTimeout as sleep } from 'node:timers/promises'
import type { ReadingDb } from '@icosa/kernel'
import { type EntryKind, following, latest, preceding, type StoredEntry } from '../journal/store.ts'

export interface TailOptions {
  readonly tenant: string
  /** How many earlier entries come first. */
  readonly last?: number
  /** Only entries of these kinds; transitions, failures and errors if not given. */
  readonly kinds?: readonly EntryKind[]
  /** Ends it. */
  readonly signal: AbortSignal
}

const pollMs = 250
const atOnce = 500

/**
 * Follows what happens to a tenant's detectors and alarms, for `icosa events tail`. Misses nothing, shows nothing twice, and
 * waits for writing transactions that began earlier.
 */
export async function* tail(db: ReadingDb, options: TailOptions): AsyncGenerator<StoredEntry> {
  const { tenant, last = 10, kinds, signal } = options
  const isRequested = ({ kind }: StoredEntry) => kinds?.includes(kind) ?? true
  let cursor = await latest(db)
  yield* (await preceding(db, tenant, cursor, last)).filter(isRequested)
  while (!signal.aborted) {
    const entries = await following(db, tenant, cursor, atOnce)
    for (const entry of entries) {
      cursor = entry
      if (isRequested(entry)) yield entry
    }
    if (entries.length < atOnce) await sleep(pollMs, undefined, { signal }).catch(() => {}) // aborted: the loop ends
  }
}

/** An entry in one line: `2026-01-01T12:00:00.000Z  swing/a  Left -> Right  swung (message m1)`. */
export const lineOf = (entry: StoredEntry): string => `${entry.at.toISOString()}  ${wordsOf(entry)}`

/** The same without its time. */
export function wordsOf({ kind, modelName, key, entry }: StoredEntry): string {
  const who = key === '' ? modelName : `${modelName}/${key}`
  return [who, said[kind](entry)].join('  ')
}

type Content = StoredEntry['entry']

const said: Readonly<Record<EntryKind, (entry: Content) => string>> = {
  transition: ({ from, to, eventName, messageId, timerName }) => {
    const cause = messageId ? `message ${messageId}` : timerName ? `timer ${timerName}` : undefined
    return [from ? `${from} -> ${to}` : `begins in ${to}`, eventName, cause && `(${cause})`].filter(Boolean).join('  ')
  },
  failure: ({ action, target, reason }) => `${action} ${JSON.stringify(target)} was not delivered: ${reason}`,
  error: ({ path, expression, message }) => `${path}: ${message}${expression ? ` in '${expression}'` : ''}`,
  message: ({ inputName, messageId }) => `got message ${messageId} of ${inputName}`,
}
