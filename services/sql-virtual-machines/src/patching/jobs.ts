import { randomUUID } from 'node:crypto'
import { type AnyJob, type Job, job } from '@icosa/kernel'
import * as machines from '../machines/store.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { patchingWindow } from '../windows.ts'
import type { Work } from '../work.ts'

interface Due {
  readonly id: string
  readonly since: string
}

export interface PatchingJobs {
  /** Finds machines whose window is open. */
  readonly findDue: Job<object, ServiceRuntime>
  readonly patch: Job<Due, ServiceRuntime>
}

/**
 * A machine restarts in its window, with the versions that the operator has installed by then. Within a group, one at a time;
 * secondaries first, and the primary after a failover.
 */
export function patchingJobs(restart: AnyJob<Work>): PatchingJobs {
  const patch = job<Due, ServiceRuntime>('patch', {
    async run({ id, since }, { clock }) {
      return async (db, jobs) => {
        const row = await machines.findById(db, id)
        if (row?.state !== 'Succeeded' || (row.patchedAt && row.patchedAt >= new Date(since))) return
        const work = { id, work: randomUUID() }
        await machines.setPatched(db, id, clock.now())
        await machines.begin(db, work, 'Updating', work.work)
        await jobs.enqueue(restart, work)
      }
    },
  })
  const findDue = job<object, ServiceRuntime>('findDue', {
    lane: 'punctual',
    async run(_, { db, clock }) {
      const now = clock.now()
      const busyClusters = new Set(await machines.busyClusters(db))
      const due = (await machines.withSetting(db, 'autoPatchingSettings')).flatMap((row) => {
        const since = patchingWindow(row.settings.autoPatchingSettings ?? {}, now)
        return since && (row.patchedAt === null || row.patchedAt < since) ? [{ row, since }] : []
      })
      const ordered = due.toSorted((a, b) => rank(a.row) - rank(b.row))
      const selected = ordered.filter(({ row: { cluster } }) => {
        if (cluster === null) return true
        const isFree = !busyClusters.has(cluster)
        busyClusters.add(cluster)
        return isFree
      })
      return async (_last, jobs) => {
        for (const { row, since } of selected)
          await jobs.enqueue(patch, { id: row.id, since: since.toISOString() }, { tenant: row.tenant, key: row.id })
      }
    },
  })
  return { findDue, patch }
}

const rank = ({ instance }: machines.MachineRow) => (instance?.role === 'Primary' ? 1 : 0)
