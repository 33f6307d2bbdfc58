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
/** A platform restored from an old backup does not know its newest databases: leaves time to notice. */
const orphanAgeMs = 24 * 3_600_000

/** Periodic jobs: enforce sizes and connections, and remove leftovers of crashes and mistakes on the SQL host. */
export function supervisionJobs(settings: SqlSettings): {
  readonly supervise: Job<object, ServiceRuntime>
  readonly sweep: Job<object, ServiceRuntime>
} {
  /** Runs all parts, even if one fails; then the job fails. It recurs, so it is not retried. */
  const supervisionJob = (name: string, parts: readonly Part[]) =>
    job<object, ServiceRuntime>(name, {
      retries: 0,
      async run(_, context) {
        if (settings.adminUrl === undefined) return
        const outcomes = await Promise.allSettled(parts.map((part) => part(context.runtime.host(), context, settings)))
        for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
      },
    })
  return {
    supervise: supervisionJob('supervise', [limitConnections, correctEverything]),
    sweep: supervisionJob('sweep', [closeToRoles, dropOrphans]),
  }
}

type Part = (host: SqlHost, context: JobContext, settings: SqlSettings) => Promise<void>

/** Ordered by their random ids: no tenant can put its databases before those of others. */
const correctEverything: Part = async (host, context, settings) => {
  for (let after = firstId; ; ) {
    const rows = await store.stableAfter(context.db, after, batch)
    const last = rows.at(-1)
    if (!last) return
    await correctAll(host, context, rows, settings)
    after = last.id
  }
}

/** Closes databases that others have created on the host since the last run. */
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
