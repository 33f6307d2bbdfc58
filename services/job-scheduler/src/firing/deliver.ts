import { attempted, noWorker, type Sending } from '@icosa/delivery'
import { type AnyJob, type Db, type Job, type JobContext, type JobsOf, job, type Vault } from '@icosa/kernel'
import { outgoing } from '../actions/outgoing.ts'
import { openSecrets, withSecret } from '../secrets/secrets.ts'
import type { SchedulerSettings } from '../settings.ts'
import { inBatches } from './batches.ts'
import type { Due } from './execution.ts'
import { type Loaded, load } from './execution-store.ts'
import { type Attempt, type FollowUp, settle } from './settle.ts'

export interface Delivery {
  readonly executions: readonly Due[]
}

/** Results that arrive this close together are written in one batch. */
const batchMs = 50

/** Makes attempts concurrently. A slow receiver delays this job, but not the results of the others. */
export function deliverJob(settings: SchedulerSettings): Job<Delivery, Sending> {
  const deliver: Job<Delivery, Sending> = job<Delivery, Sending>('deliver', {
    retries: 10,
    async run({ executions }, context) {
      const { db, transaction, clock } = context
      const due = await load(db, executions)
      for await (const attempts of inBatches(
        due.map((execution) => attempt(execution, settings, context)),
        batchMs,
      )) {
        await transaction(async (tx, jobs) => {
          await follow(jobs, deliver, await settle(tx, attempts), clock.now())
        })
      }
    },
    failed: giveUp,
  })
  return deliver
}

async function attempt(of: Loaded, settings: SchedulerSettings, context: JobContext<Sending>): Promise<Attempt> {
  const { clock, runtime, signal } = context
  const startedAt = clock.now()
  const skipReason = skipReasonOf(of)
  if (skipReason !== undefined) return { of, status: 'Postponed', message: skipReason, startedAt, endedAt: startedAt }
  const outcome = await attempted(context, async () => {
    const { target, message, timeoutMs } = await outgoing(
      actionOf(of, await context.tenantVault()),
      of,
      settings,
      context,
    )
    return runtime.send(target, message, { signal, timeoutMs })
  })
  const { result, message, answer, retryAfterMs } = outcome
  return {
    of,
    status: result === 'delivered' ? 'Completed' : 'Failed',
    message: answer ? `${message} ${answer}` : message,
    startedAt,
    endedAt: clock.now(),
    retryAfterMs,
  }
}

/** Returns why an attempt must not be made any more. */
function skipReasonOf({ state, collectionState, byHand, action, definition }: Loaded): string | undefined {
  if (collectionState !== 'Enabled') return 'It did not run: the job collection had been disabled.'
  if (state === 'Disabled' && !byHand) return 'It did not run: the job had been disabled.'
  if (action === 'ErrorAction' && !definition.action.errorAction) return 'The job has no error action any more.'
  return undefined
}

function actionOf({ tenant, jobId, action, definition, secrets }: Loaded, vault: Vault) {
  const stored = openSecrets(vault, { tenant, id: jobId }, secrets)
  const { errorAction, ...main } = definition.action
  if (action === 'ErrorAction' && errorAction) return withSecret(errorAction, stored.error)
  return withSecret(main, stored.main)
}

async function follow(
  jobs: JobsOf,
  deliver: AnyJob<Delivery>,
  followUps: readonly FollowUp[],
  now: Date,
): Promise<void> {
  for (const [pauseMs, group] of Map.groupBy(followUps, ({ pauseMs }) => pauseMs)) {
    const executions = group.map(({ due }) => due)
    const at = new Date(now.getTime() + pauseMs)
    await jobs.enqueue(deliver, { executions }, pauseMs > 0 ? { at } : {})
  }
}

/** Abandons executions that no worker could complete, so that their jobs do not wait for them. */
async function giveUp({ executions }: Delivery, db: Db): Promise<void> {
  const due = await load(db, executions)
  const attempts = due.map((of): Attempt => {
    const { errorAction: _, ...main } = of.definition.action
    const action = { ...main, retryPolicy: { retryType: 'None' as const } }
    const at = { startedAt: of.expectedAt, endedAt: of.expectedAt }
    return { of: { ...of, definition: { action } }, status: 'Failed', message: noWorker.message, ...at }
  })
  await settle(db, attempts)
}
