import { type EndedSpan, isOutage, type OnStop, type Platform, writeBehind } from '@icosa/kernel'
import { rowsBy } from './rows.ts'
import { insertSpans, pruneSpans, type SpanRow } from './store.ts'

export interface Recorder {
  readonly isRecording: boolean
  /** Number of spans that could not be written. */
  readonly lost: () => number
}

export interface RecorderOptions {
  readonly isRecording: boolean
  /** Whether tenants may read the messages of internal errors. */
  readonly isDevelopment: boolean
}

const everyMs = 250
const batchSize = 1_000
/** A few megabytes, while the database is down. */
const maxPending = 10_000
/** About 100 MB in the database. */
const maxSpans = 200_000
const pruneAfter = 10_000
/** Deliveries kept for a job or request until it ends, and the number of such jobs and requests. */
const maxDeliveries = 100
const maxParents = 1_000

/**
 * Records ended spans. A delivery knows its parent but not its tenant, so it waits in memory for the parent's end: trace
 * IDs are chosen by callers, and do not identify the owner of a span.
 */
export function openRecorder(
  { database, traces, clock, log }: Pick<Platform, 'database' | 'traces' | 'clock' | 'log'>,
  { isRecording, isDevelopment }: RecorderOptions,
  onStop: OnStop,
): Recorder {
  const rowOf = rowsBy(clock, isDevelopment)
  let pending: SpanRow[] = []
  let lost = 0
  let sincePruning = 0
  const orphans = new Map<string, Omit<SpanRow, 'tenant'>[]>()

  const { soon, flush } = writeBehind({
    everyMs,
    async write() {
      while (pending.length > 0) {
        const batch = pending.slice(0, batchSize)
        await database.transaction((db) => insertSpans(db, batch))
        pending = pending.slice(batch.length)
        sincePruning += batch.length
      }
      if (sincePruning < pruneAfter) return
      sincePruning = 0
      await database.transaction((db) => pruneSpans(db, maxSpans))
    },
    onError(err) {
      log.warn({ err, waiting: pending.length }, 'history could not be written')
      if (!isOutage(err)) lost += pending.splice(0, batchSize).length // it would fail again
      setTimeout(soon, 1_000).unref()
    },
  })

  function hold(parentId: string, row: Omit<SpanRow, 'tenant'>): void {
    const siblings = orphans.get(parentId) ?? []
    if (siblings.length >= maxDeliveries) return void lost++
    const [oldest] = orphans.keys()
    if (orphans.size >= maxParents && oldest !== undefined) orphans.delete(oldest)
    orphans.set(parentId, [...siblings, row])
  }

  function record(span: EndedSpan): void {
    const { spanId, parentId, kind } = span.part
    const row = rowOf(span)
    if (kind === 'delivery') {
      hold(parentId ?? '', row)
      return
    }
    const { 'icosa.tenant': tenant } = span.attributes
    const own = [row, ...(orphans.get(spanId) ?? [])]
    orphans.delete(spanId)
    if (typeof tenant !== 'string' || tenant === '') return
    if (pending.length >= maxPending) return void lost++
    pending.push(...own.map((each) => ({ ...each, tenant })))
    soon()
  }

  if (isRecording) {
    traces.observe(record)
    onStop(flush)
  }
  return { isRecording, lost: () => lost }
}
