import { type Job, type JobContext, job } from '@icosa/kernel'
import { installation } from '../databases/store.ts'
import type { SqlHost } from '../host/host.ts'
import { prepareHost } from '../host/preparation.ts'
import { removeAll } from '../host/removal.ts'
import { namesFrom } from '../host/store.ts'
import type { ServiceRuntime } from '../runtime.ts'
import type { SqlSettings } from '../settings.ts'
import { limitConnections } from './connections.ts'
import { forEach } from './each.ts'
import { correctAll } from './sizes.ts'
import * as store from './store.ts'

const batch = 500
const firstId = '00000000-0000-0000-0000-000000000000'
/** A platform that was restored from an old backup does not know its newest databases: somebody has to notice. */
const orphanAgeMs = 24 * 3_600_000

/** What is looked after from time to time: sizes, connections, and what a crash or a mistake left on the SQL host. */
export function supervisionJobs(settings: SqlSettings): {
  readonly supervise: Job<object, ServiceRuntime>
  readonly sweep: Job<object, ServiceRuntime>
} {
  /** Each part is tried, whatever becomes of the others; the job fails if one of them did. It comes again. */
  const looking = (name: string, parts: readonly Part[]) =>
    job<object, ServiceRuntime>(name, {
      retries: 0,
      async run(_, context) {
        if (settings.adminUrl === undefined) return
        const outcomes = await Promise.allSettled(parts.map((part) => part(context.runtime.host(), context, settings)))
        for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
      },
    })
  return {
    supervise: looking('supervise', [limitConnections, correctEverything]),
    sweep: looking('sweep', [closeToRoles, dropOrphans]),
  }
}

type Part = (host: SqlHost, context: JobContext, settings: SqlSettings) => Promise<void>

/** In the order of their ids, which are random: nobody can put databases before those of others. */
const correctEverything: Part = async (host, context, settings) => {
  for (let after = firstId; ; ) {
    const rows = await store.settledAfter(context.db, after, batch)
    const last = rows.at(-1)
    if (!last) return
    await correctAll(host, context, rows, settings)
    after = last.id
  }
}

/** Databases that others have made on the host since the last creation. */
const closeToRoles: Part = async (host, { db, log }, settings) => {
  const platform = await installation(db)
  const open = await host.briefly([], (admin) => prepareHost(admin, platform, settings))
  for (const { remedy } of open) log.warn({ remedy }, 'roles of tenants can connect to another database')
}

const dropOrphans: Part = async (host, context) => {
  const { prefix } = await installation(context.db)
  const names = await host.briefly([], (admin) => namesFrom(admin, prefix))
  const now = context.clock.now()
  const before = new Date(now.getTime() - orphanAgeMs)
  const old = await context.transaction(async (inside) =>
    store.noteOrphans(inside, await store.withoutRow(inside, names), now, before),
  )
  await forEach(
    context,
    old,
    (name) => name,
    (name) => host.alone([name], (admin) => removeAll(host, admin, name)),
  )
}
