import { randomUUID } from 'node:crypto'
import { type Db, type Job, type JobsOf, job, notFound } from '@icosa/kernel'
import type { JobId } from '../backup-jobs/jobs.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { messageOf } from '../shapes/message.ts'
import { dayMs } from '../shapes/time.ts'
import { csvOf, reportRows } from './rows.ts'
import * as store from './store.ts'

export const reportEveryMs = dayMs
const batch = 500

export interface ReportJobs {
  readonly write: Job<JobId, ServiceRuntime>
  readonly daily: Job<Record<string, never>, ServiceRuntime>
  /** Enqueues a report; returns the id of its job. */
  start(db: Db, jobs: JobsOf, plan: store.ReportPlanRow, at: Date): Promise<string>
}

export function reportJobsOf(region: string): ReportJobs {
  const write = job<JobId, ServiceRuntime>('writeReport', {
    async run({ id }, { tenant, db, clock, runtime, blobs }) {
      const row = await store.findJob(db, tenant, id)
      if (!row || row.completedAt !== null) return undefined
      const plan = (await store.find(db, tenant, row.plan)) ?? notFound('report plan', row.plan)
      const now = clock.now()
      const world = { db, owner: { tenant, region }, now, types: [...runtime.backups.keys()] }
      const rows = await reportRows(world, plan.setting)
      const { S3KeyPrefix = '', Formats = ['CSV'] } = plan.channel
      const folder = [S3KeyPrefix.replace(/^\/+|\/+$/g, ''), plan.name, now.toISOString().slice(0, 10)]
      const keys: string[] = []
      for (const format of Formats) {
        const key = [...folder.filter(Boolean), `${id}.${format.toLowerCase()}`].join('/')
        const text = format === 'CSV' ? csvOf(rows) : JSON.stringify({ reportItems: rows }, undefined, 2)
        const contentType = format === 'CSV' ? 'text/csv' : 'application/json'
        await blobs.put(`reports/${row.bucket}/${key}`, Buffer.from(text), { contentType })
        keys.push(key)
      }
      return (last) => store.endJob(last, row, { status: 'COMPLETED', keys, at: clock.now() })
    },
    async failed({ id }, db, error, { tenant, clock }) {
      const row = await store.findJob(db, tenant, id)
      if (row) await store.endJob(db, row, { status: 'FAILED', message: messageOf(error), at: clock.now() })
    },
  })

  async function start(db: Db, jobs: JobsOf, plan: store.ReportPlanRow, at: Date): Promise<string> {
    const id = randomUUID()
    await store.insertJob(db, id, plan, at)
    await jobs.enqueue(write, { id }, { key: id, tenant: plan.tenant })
    return id
  }

  /** Enqueues every report plan of every tenant, once a day. */
  const daily = job<Record<string, never>, ServiceRuntime>('writeReports', {
    async run(_, { transaction, clock }) {
      let last: Pick<store.ReportPlanRow, 'tenant' | 'name'> = { tenant: '', name: '' }
      for (;;) {
        const rows = await transaction(async (db, jobs) => {
          const plans = await store.after(db, last, batch)
          for (const plan of plans) await start(db, jobs, plan, clock.now())
          return plans
        })
        last = rows.at(-1) ?? last
        if (rows.length < batch) return undefined
      }
    },
  })
  return { write, daily, start }
}
