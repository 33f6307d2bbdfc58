import { randomUUID } from 'node:crypto'
import { type Db, type Job, type JobContext, type JobsOf, job, notFound } from '@icosa/kernel'
import type { JobId } from '../backup-jobs/jobs.ts'
import { notify } from '../notices/deliver.ts'
import { contentOf } from '../recovery-points/content.ts'
import { lifecycleColumns } from '../recovery-points/lifecycle.ts'
import { tidyUp } from '../recovery-points/maintenance.ts'
import * as points from '../recovery-points/store.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { messageOf } from '../shapes/message.ts'
import type { VaultEvent } from '../vaults/contract.ts'
import { checkRetention } from '../vaults/lock.ts'
import { writableRepositoryOf } from '../vaults/repository.ts'
import * as vaults from '../vaults/store.ts'
import * as store from './store.ts'

export type CopyPoint = Job<JobId, ServiceRuntime>

/** Streams a recovery point from one repository into another, which encrypts it with its own key. */
export function copyJob(): CopyPoint {
  return job<JobId, ServiceRuntime>('copyPoint', {
    async run({ id }, context) {
      const { tenant, clock, db } = context
      const row = await store.find(db, tenant, id)
      if (!row || row.completedAt !== null) return undefined
      if (!(await context.transaction((last) => store.setRunning(last, tenant, id)))) return undefined
      const point = (await points.find(db, tenant, row.sourcePointId)) ?? notFound('recovery point', row.sourcePointId)
      const snapshot = await copy(row, point, context)
      return async (last, jobs) => {
        const at = clock.now()
        const vault = (await vaults.lock(last, tenant, row.vault)) ?? notFound('vault', row.vault)
        checkRetention(vault, row.lifecycle)
        if (!(await store.end(last, tenant, id, { state: 'COMPLETED', at }))) return
        const columns = { ...lifecycleColumns(row.lifecycle, row.createdAt), createdAt: row.createdAt, completedAt: at }
        const ids = { id: row.pointId, vault: row.vault, sourceVault: row.sourceVault, roleArn: row.roleArn }
        await points.insert(last, { ...point, ...ids, ...columns, ...snapshot })
        await vaults.countPoints(last, tenant, row.vault, 1)
        await notifySource(last, jobs, row, 'COPY_JOB_SUCCESSFUL', at)
        if (row.state === 'RUNNING') await tidyUp(jobs, row.vault) // an earlier attempt was interrupted
      }
    },
    async failed({ id }, db, error, { tenant, clock, jobs }) {
      const row = await store.find(db, tenant, id)
      if (row?.state === 'RUNNING') await tidyUp(jobs, row.vault)
      const at = clock.now()
      await store.end(db, tenant, id, { state: 'FAILED', message: messageOf(error), at })
      if (row) await notifySource(db, jobs, row, 'COPY_JOB_FAILED', at)
    },
  })
}

/** Notifies the topic of the source vault. */
const notifySource = (
  db: Db,
  jobs: JobsOf,
  { tenant, sourceVault: vault, id, resourceArn }: store.CopyJobRow,
  event: VaultEvent,
  at: Date,
) => notify(db, jobs, { tenant, vault, id, at, events: [event], message: `The copy of ${resourceArn}: ${event}.` })

async function copy(row: store.CopyJobRow, point: points.PointRow, context: JobContext<ServiceRuntime>) {
  const { db, tenant, runtime, tenantVault, signal } = context
  const target = (await vaults.find(db, tenant, row.vault)) ?? notFound('vault', row.vault)
  const attempt = randomUUID()
  const { snapshot, bytes } = await runtime.restic.backup(await writableRepositoryOf(target, await tenantVault(), db), {
    name: attempt,
    tags: [`point=${row.pointId}`, `job=${row.id}`, `resource=${row.resourceArn}`],
    signal,
    content: () => contentOf(point, undefined, context),
  })
  return { attempt, snapshot, bytes, continuous: false }
}
