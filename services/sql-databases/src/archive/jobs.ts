import { type Job, type JobContext, job } from '@icosa/kernel'
import type { Held } from '../held.ts'
import type { SqlSettings } from '../settings.ts'
import { baseKey, takeBase } from './base.ts'
import * as pruning from './pruning-store.ts'
import { pieceKey, slotOf } from './receiver.ts'
import { openReplication } from './replication.ts'
import * as store from './store.ts'

export const keepEveryMs = 10_000
export const pruneEveryMs = 3_600_000
/** Whoever began to receive copies the server first of all, so long. */
const firstBaseMs = 600_000
const batch = 500

export interface ArchiveJobs {
  /** Sees to it that the log is received, and that a copy of the server is not too old. */
  readonly keep: Job<object, Held>
  readonly copy: Job<object, Held>
  readonly prune: Job<object, Held>
}

export function archiveJobs({ archiveUrl: url, baseEveryMs }: SqlSettings): ArchiveJobs {
  const keep = job<object, Held>('keepArchive', {
    lane: 'punctual',
    retries: 0,
    async run(_, { db, clock, held }) {
      await held.folders.sweep()
      if (url === undefined) return undefined
      const now = clock.now()
      if (await pruning.isNeeded(db)) {
        held.receiver?.ensure()
        const isDue = await pruning.isBaseDue(db, { now, everyMs: baseEveryMs, firstMs: firstBaseMs })
        return async (_last, jobs) => {
          if (isDue) await jobs.enqueue(copy, {}, { key: 'copy' })
        }
      }
      if (!(await store.live(db))) return undefined
      return async (last, jobs) => {
        if (await pruning.isNeeded(last)) return
        await store.endArchive(last)
        await jobs.enqueue(prune, {}, { key: 'prune' })
      }
    },
  })
  const copy = job<object, Held>('copySqlHost', {
    async run(_, context) {
      if (url === undefined || !(await pruning.isNeeded(context.db))) return
      await context.held.copying(() => takeBase(context, url))
    },
  })
  const prune = job<object, Held>('pruneArchive', {
    retries: 8,
    async run(_, context) {
      await context.transaction((db) => pruning.forgetUnbegun(db, context.clock.now()))
      for (const archive of await store.all(context.db)) await pruneOne(archive, context)
      await removeStrays(context)
      if (url !== undefined && !(await store.live(context.db))) await releaseSlot(url, context)
    },
  })
  return { keep, copy, prune }
}

/** What lies before the copy from which the oldest time is reached that anybody may ask for. Blobs go before their rows. */
async function pruneOne({ epoch, ended, coveredUntil }: store.ArchiveRow, context: JobContext<Held>): Promise<void> {
  const { db, clock, blobs, transaction } = context
  const needed = await store.neededFrom(db, clock.now())
  const isOver = ended && (!needed || !coveredUntil || coveredUntil < needed)
  const bases = await store.basesOf(db, epoch)
  const first = isOver ? undefined : (bases.findLast(({ usableFrom }) => needed && usableFrom <= needed) ?? bases[0])
  for (const base of bases) {
    if (base === first) break
    await blobs.shared.delete(baseKey(epoch, base.id))
    await transaction((last) => store.removeBase(last, base))
  }
  if (!isOver && !first) return
  for (;;) {
    const pieces = await pruning.piecesBefore(db, epoch, first?.start, batch)
    for (const id of pieces) await blobs.shared.delete(pieceKey(epoch, id))
    await transaction((last) => pruning.removePieces(last, epoch, pieces))
    if (pieces.length < batch) break
  }
  if (isOver) await transaction((last) => store.removeArchive(last, epoch))
}

const strayMs = 3_600_000

/** What a killed worker had written before anybody knew of it. */
async function removeStrays({ db, clock, blobs }: JobContext<Held>): Promise<void> {
  const before = new Date(clock.now().getTime() - strayMs)
  for (let after: string | undefined; ; ) {
    const { items, next } = await blobs.shared.list('archive/', { limit: 1_000, ...(after !== undefined && { after }) })
    const old = items.filter(({ modifiedAt }) => modifiedAt < before).map(({ key }) => key)
    const known = await pruning.knownAmong(db, old.map(idIn))
    for (const key of old) if (!known.has(idIn(key))) await blobs.shared.delete(key)
    if (next === undefined) return
    after = next
  }
}

const idIn = (key: string) => key.split('/').at(-1) ?? ''

/** Otherwise the SQL host would keep its log for us until its disk is full. */
async function releaseSlot(url: string, { db }: JobContext<Held>): Promise<void> {
  const slot = await slotOf(db)
  using connection = await openReplication(url)
  if (await connection.hasSlot(slot)) await connection.dropSlot(slot)
}
