import { type Database, type OnStop, type Platform, type RequestObserver, writeBehind } from '@icosa/kernel'
import type { AuditRecord } from './chain.ts'
import { append } from './store.ts'

export interface Audit {
  readonly observe: RequestObserver
  /** How many records were lost because the database took none for too long. */
  readonly lost: () => number
}

/** Under what the vault derives the key of the chains. */
export const auditKeyPurpose = 'audit'
/** Some tens of megabytes: what a node still notes while the database is away. */
const maxWaiting = 50_000
const batchSize = 1_000

/** So long requests collect, so that many share a transaction; a node that is killed loses them. */
const everyMs = 100
const againMs = 1_000

/** Notes what callers changed or tried to change, after they were answered. */
export function openAudit({ database, clock, vault, log }: Platform, onStop: OnStop): Audit {
  const key = vault.derive(auditKeyPurpose)
  let waiting: AuditRecord[] = []
  let lost = 0
  const { soon, flush } = writeBehind({
    everyMs,
    async write() {
      while (waiting.length > 0) {
        const some = waiting.slice(0, batchSize)
        await appendTo(database, key, some)
        waiting = waiting.slice(some.length)
      }
    },
    onError(err) {
      log.error({ err, waiting: waiting.length }, 'the audit log could not be written')
      setTimeout(soon, againMs).unref()
    },
  })
  onStop(flush)

  return {
    lost: () => lost,
    observe(tenant, service, exchange) {
      const seen = exchange()
      if (!seen.isWriting && seen.status !== 403) return
      if (waiting.length >= maxWaiting) {
        lost++
        return
      }
      const { status, caller, clientIp: address, operation, path, requestId } = seen
      const resource = path.slice(0, 1000)
      const who = { tenant, subject: '', at: clock.now(), caller, address }
      waiting.push({ ...who, service, operation, resource, status, requestId })
      soon()
    },
  }
}

export const appendTo = (database: Database, key: Uint8Array, records: readonly AuditRecord[]): Promise<void> =>
  database.transaction((db) => append(db, key, records))
