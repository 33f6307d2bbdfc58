import {
  type AccessLog,
  type Database,
  type OnStop,
  type Platform,
  type RequestObserver,
  writeBehind,
} from '@icosa/kernel'
import type { AuditRecord } from './chain.ts'
import { append } from './store.ts'

export interface Audit {
  readonly observe: RequestObserver
  /** Records what services report by themselves. */
  readonly record: AccessLog
  /** Number of records dropped while the database was down. */
  readonly lost: () => number
}

/** Purpose under which the cellVault derives the HMAC key of the chains. */
export const auditKeyPurpose = 'audit'
/** Some tens of megabytes of records buffered while the database is down. */
const maxPending = 50_000
const batchSize = 1_000

/** Interval in which records share a transaction. A killed node loses those of the last one. */
const everyMs = 100
const retryMs = 1_000

/** Records writes and refusals of callers, after the response. */
export function openAudit({ database, clock, cellVault, log, queue }: Platform, onStop: OnStop): Audit {
  const key = cellVault.derive(auditKeyPurpose)
  let pending: AuditRecord[] = []
  let lost = 0
  const { soon, flush } = writeBehind({
    everyMs,
    async write() {
      while (pending.length > 0) {
        const batch = pending.slice(0, batchSize)
        queue.wake(await appendTo(database, key, batch))
        pending = pending.slice(batch.length)
      }
    },
    onError(err) {
      log.error({ err, waiting: pending.length }, 'the audit log could not be written')
      setTimeout(soon, retryMs).unref()
    },
  })
  onStop(flush)

  const record: AccessLog = (entry) => {
    if (pending.length >= maxPending) {
      lost++
      return
    }
    pending.push({ ...entry, subject: '', at: clock.now(), resource: entry.resource.slice(0, 1000) })
    soon()
  }

  return {
    lost: () => lost,
    record,
    observe(tenant, service, exchange) {
      const request = exchange()
      if (!request.isWriting && request.status !== 403) return
      const { status, caller, clientIp: address, operation, path: resource, requestId } = request
      record({ tenant, caller, address, service, operation, resource, status, requestId })
    },
  }
}

/** Returns the queues to wake. */
export const appendTo = (database: Database, key: Uint8Array, records: readonly AuditRecord[]): Promise<string[]> =>
  database.transaction((db) => append(db, key, records))
