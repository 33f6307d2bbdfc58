import { randomUUID } from 'node:crypto'
import { arnOfResource, namesOf, type Owner } from '@icosa/dialects/signed/resource-name'
import { type Job, type JobsOf, job } from '@icosa/kernel'
import * as account from '../account/store.ts'
import { defaultCompleteMinutes, defaultStartMinutes } from '../backup-jobs/handlers.ts'
import type { BackupJobs } from '../backup-jobs/jobs.ts'
import * as backupJobs from '../backup-jobs/store.ts'
import { listByTypes, type RegisteredResource } from '../resources/registry-store.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { selector } from '../selections/match.ts'
import * as selections from '../selections/store.ts'
import type { BackupPlan } from './contract.ts'
import { scheduleOf } from './document.ts'
import { nextTime } from './schedule.ts'
import * as store from './store.ts'
import { planArn } from './view.ts'

type Rule = BackupPlan['Rules'][number]

/** One due time of a rule in a version of a plan. */
interface Due {
  readonly planId: string
  readonly versionId: string
  readonly ruleId: string
  readonly atMs: number
}

export interface PlanJobs {
  readonly fire: Job<Due, ServiceRuntime>
  /** Enqueues the next run of every rule. Timers of earlier versions find themselves replaced. */
  schedule(jobs: JobsOf, plan: store.PlanRow, after: Date): Promise<void>
}

const minuteMs = 60_000

export function planJobsOf(region: string, { backUp }: BackupJobs): PlanJobs {
  async function next(jobs: JobsOf, { planId, id: versionId }: store.PlanRow, rule: Rule, after: Date): Promise<void> {
    const at = nextTime(scheduleOf(rule), after)
    const { RuleId: ruleId = '' } = rule
    if (at)
      await jobs.enqueue(fire, { planId, versionId, ruleId, atMs: at.getTime() }, { at, key: `${versionId} ${ruleId}` })
  }

  function jobsOf(
    plan: store.PlanRow,
    rule: Rule,
    resources: readonly SelectedResource[],
    continuous: ReadonlySet<string>,
    at: Date,
  ): backupJobs.NewJob[] {
    const { StartWindowMinutes = defaultStartMinutes, CompletionWindowMinutes = defaultCompleteMinutes } = rule
    const within = (minutes: number) => new Date(at.getTime() + minutes * minuteMs)
    const createdBy = {
      BackupPlanId: plan.planId,
      BackupPlanArn: planArn(region, plan),
      BackupPlanVersion: plan.id,
      BackupRuleId: rule.RuleId ?? '',
    }
    return resources.map(({ arn, roleArn, id, type, name }) => ({
      tenant: plan.tenant,
      id: randomUUID(),
      pointId: randomUUID(),
      vault: rule.TargetBackupVaultName,
      resourceId: id,
      resourceArn: arn,
      resourceType: type,
      resourceName: name,
      roleArn,
      createdBy,
      lifecycle: rule.Lifecycle ?? {},
      tags: rule.RecoveryPointTags ?? {},
      options: {},
      copies: rule.CopyActions ?? [],
      continuousUntil:
        rule.EnableContinuousBackup && continuous.has(type) ? (nextTime(scheduleOf(rule), at) ?? at) : null,
      createdAt: at,
      startBy: within(StartWindowMinutes),
      completeBy: within(CompletionWindowMinutes),
    }))
  }

  const fire = job<Due, ServiceRuntime>('fireRule', {
    lane: 'punctual',
    retries: 8,
    async run({ planId, versionId, ruleId }, { tenant, clock, runtime }) {
      return async (db, jobs) => {
        const plan = await store.lock(db, tenant, planId)
        const rule = plan?.document.Rules.find(({ RuleId }) => RuleId === ruleId)
        if (!plan || !rule || plan.deletedAt !== null || plan.id !== versionId) return
        const now = clock.now()
        const owner = { tenant, region }
        const optedOut = await account.optedOut(db, tenant)
        const types = [...runtime.backups.keys()].filter((type) => !optedOut.has(type))
        const selected = firstOf(owner, await selections.all(db, tenant, planId), await listByTypes(db, tenant, types))
        // A type without continuous backup gets a snapshot.
        const continuous = new Set(types.filter((type) => runtime.backups.get(type)?.continuous))
        const rows = jobsOf(plan, rule, selected, continuous, now)
        await backupJobs.insertAll(db, rows)
        await jobs.enqueueAll(
          backUp,
          rows.map(({ id }) => ({ input: { id }, key: id })),
        )
        await store.setRun(db, plan, now)
        await next(jobs, plan, rule, now)
      }
    },
  })

  return {
    fire,
    async schedule(jobs, plan, after) {
      for (const rule of plan.document.Rules) await next(jobs, plan, rule, after)
    },
  }
}

interface SelectedResource extends RegisteredResource {
  readonly arn: string
  readonly roleArn: string
}

/** A resource in several selections is backed up once, for the first of them. */
function firstOf(
  owner: Owner,
  all: readonly selections.SelectionRow[],
  resources: readonly RegisteredResource[],
): SelectedResource[] {
  const selectors = all.map(({ document }) => ({ roleArn: document.IamRoleArn, isSelected: selector(owner, document) }))
  return resources.flatMap((resource) => {
    const candidate = { names: namesOf(owner, resource), tags: resource.tags }
    const first = selectors.find(({ isSelected }) => isSelected(candidate))
    return first ? { ...resource, arn: arnOfResource(owner, resource), roleArn: first.roleArn } : []
  })
}
