import { type Job, type JobContext, job } from '@icosa/kernel'
import { type DatabaseRow, findWork, installation } from '../databases/store.ts'
import { limitsOf } from '../databases/wanted.ts'
import type { Host, Session } from '../host/host.ts'
import { applyStorage, type Storage, storageFor } from '../host/storage.ts'
import * as onHost from '../host/store.ts'
import type { SqlSettings } from '../settings.ts'
import * as store from './store.ts'

const batch = 500
const firstId = '00000000-0000-0000-0000-000000000000'
/** A platform that was restored from an old backup does not know its newest databases: somebody has to notice. */
const orphanAgeMs = 24 * 3_600_000

/** What is looked after from time to time: sizes, pools, and what a crash or a mistake left on the SQL host. */
export function supervisionJobs(
  host: () => Host,
  settings: SqlSettings,
): { readonly supervise: Job<object>; readonly sweep: Job<object> } {
  const isThere = settings.adminUrl !== undefined

  return {
    supervise: job<object>('supervise', {
      retries: 0, // it comes again
      async run(_, context) {
        if (!isThere) return
        for (let after = firstId; ; ) {
          const rows = await store.settledAfter(context.db, after, batch)
          const last = rows.at(-1)
          if (!last) break
          const names = rows.map(({ physical }) => physical)
          const found = await host().alone([], (admin) => onHost.measure(admin, names))
          for (const row of rows) await correct(host(), context, row, found.get(row.physical), settings)
          after = last.id
        }
        const pools = await store.pools(context.db)
        if (pools.length === 0) return
        await host().alone([], async (admin) => {
          for (const members of pools) await onHost.endNewestSessions(admin, members, settings.pool.connections)
        })
      },
    }),

    sweep: job<object>('sweep', {
      retries: 0,
      async run(_, { db, transaction, clock }) {
        if (!isThere) return
        const { prefix } = await installation(db)
        const names = await host().alone([], (admin) => onHost.namesFrom(admin, prefix))
        const now = clock.now()
        const old = await transaction(async (inside) =>
          store.noteOrphans(inside, await store.withoutRow(inside, names), now, new Date(now.getTime() - orphanAgeMs)),
        )
        for (const name of old) await host().alone([name], (admin) => onHost.dropAll(admin, name))
      },
    }),
  }
}

/** Makes the SQL host what the row says, where it is not. */
async function correct(
  host: Host,
  { db, transaction }: JobContext,
  row: DatabaseRow,
  measured: onHost.Measured | undefined,
  { pool }: SqlSettings,
): Promise<void> {
  const isWanted = (now: onHost.Measured) => {
    const storage = storageFor(now.bytes, limitsOf(row, pool).maxSizeBytes, row)
    return storage.storage === row.storage && now.isOpen === (row.status === 'Online')
  }
  if (!measured || isWanted(measured)) return
  await host.alone([row.physical], async (admin) => {
    const now = (await onHost.measure(admin, [row.physical])).get(row.physical)
    // Somebody may have begun to work on it, or have finished, while we waited for the lock.
    if (!now || (await findWork(db, row))?.status !== row.status || isWanted(now)) return
    const storage = storageFor(now.bytes, limitsOf(row, pool).maxSizeBytes, row)
    await setState(admin, row, storage)
    await transaction((inside) => store.setStorage(inside, row, storage))
  })
}

async function setState(admin: Session, row: DatabaseRow, storage: Storage): Promise<void> {
  const isOnline = row.status === 'Online'
  await onHost.setOpen(admin, row.physical, isOnline)
  if (!isOnline) await onHost.endSessions(admin, row.physical)
  await applyStorage(admin, row.physical, storage)
}
