import { randomUUID } from 'node:crypto'
import { type Db, type Job, type JobsOf, job } from '@icosa/kernel'
import { nextTime } from '../plans/schedule.ts'
import * as points from '../recovery-points/store.ts'
import { arnsOf } from '../resources/named.ts'
import type { RestoreJobs } from '../restore-jobs/jobs.ts'
import * as restores from '../restore-jobs/store.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { nameIn, ownArn } from '../shapes/arns.ts'
import type { TagMap } from '../shapes/tags.ts'
import { dayMs } from '../shapes/time.ts'
import * as store from './store.ts'

interface Due {
  readonly name: string
  readonly versionId: string
}

export interface TestingJobs {
  readonly test: Job<Due, ServiceRuntime>
  schedule(jobs: JobsOf, plan: store.TestingPlanRow, after: Date): Promise<void>
}

export const scheduleOf = ({ document }: Pick<store.TestingPlanRow, 'document'>) => ({
  expression: document.ScheduleExpression,
  timezone: document.ScheduleExpressionTimezone ?? 'Etc/UTC',
})

export const testingArn = (
  region: string,
  { tenant, name, id }: Pick<store.TestingPlanRow, 'tenant' | 'name' | 'id'>,
) => ownArn({ tenant, region }, 'restore-testing-plan', `${name}-${id}`)

/** Restores recovery points of a plan's selections under names of their own, and deletes the resources afterwards. */
export function testingJobsOf(region: string, { restore }: RestoreJobs): TestingJobs {
  async function schedule(jobs: JobsOf, plan: store.TestingPlanRow, after: Date): Promise<void> {
    const at = nextTime(scheduleOf(plan), after)
    const { name, versionId } = plan
    if (at) await jobs.enqueue(test, { name, versionId }, { at, key: versionId })
  }

  async function start(
    db: Db,
    jobs: JobsOf,
    runtime: ServiceRuntime,
    plan: store.TestingPlanRow,
    selection: store.SelectionRow,
    now: Date,
  ) {
    const { tenant } = plan
    const { document } = selection
    for (const pointId of await store.candidates(db, tenant, candidatesOf(region, runtime, plan, document, now))) {
      const point = await points.find(db, tenant, pointId)
      const backup = runtime.backups.get(document.ProtectedResourceType)
      if (!point || !backup || !holds(document.ProtectedResourceConditions, point.resourceTags)) continue
      const id = randomUUID()
      await restores.insert(db, {
        ...restores.ofPoint(point),
        id,
        roleArn: document.IamRoleArn,
        metadata: { ...backup.trial(point.metadata, id), ...document.RestoreMetadataOverrides },
        copyTags: false,
        testingPlan: testingArn(region, plan),
        validationHours: document.ValidationWindowHours ?? null,
        createdAt: now,
      })
      await jobs.enqueue(restore, { id }, { key: id })
    }
  }

  const test = job<Due, ServiceRuntime>('testRestores', {
    retries: 8,
    async run({ name, versionId }, { tenant, clock, runtime }) {
      return async (db, jobs) => {
        const plan = await store.lock(db, tenant, name)
        if (plan?.versionId !== versionId) return
        const now = clock.now()
        for (const selection of await store.selectionsOf(db, tenant, name))
          await start(db, jobs, runtime, plan, selection, now)
        await store.setRun(db, plan, now)
        await schedule(jobs, plan, now)
      }
    },
  })
  return { test, schedule }
}

function candidatesOf(
  region: string,
  runtime: ServiceRuntime,
  { tenant, document: plan }: store.TestingPlanRow,
  { ProtectedResourceType: type, ProtectedResourceArns: arns = [] }: store.SelectionRow['document'],
  now: Date,
): store.Candidates {
  const { Algorithm, IncludeVaults = ['*'], ExcludeVaults = [], SelectionWindowDays = 30 } = plan.RecoveryPointSelection
  const names = (list: readonly string[]) => list.map((arn) => nameIn({ tenant, region }, 'backup-vault', 'vault', arn))
  return {
    type,
    arns:
      arns.length === 0 || arns.includes('*') ? null : arns.flatMap((arn) => arnsOf({ tenant, region }, runtime, arn)),
    since: new Date(now.getTime() - SelectionWindowDays * dayMs),
    include: IncludeVaults.includes('*') ? null : names(IncludeVaults),
    exclude: names(ExcludeVaults),
    isRandom: Algorithm === 'RANDOM_WITHIN_WINDOW',
  }
}

/** Whether the tags that a resource had when it was backed up meet the conditions. */
function holds(conditions: store.SelectionRow['document']['ProtectedResourceConditions'] = {}, tags: TagMap): boolean {
  const tagOf = (key: string) => tags[key.replace(/^aws:ResourceTag\//, '')]
  const { StringEquals = [], StringNotEquals = [] } = conditions
  return (
    StringEquals.every(({ Key, Value }) => tagOf(Key) === Value) &&
    StringNotEquals.every(({ Key, Value }) => tagOf(Key) !== Value)
  )
}
