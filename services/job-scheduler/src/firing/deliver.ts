import { type Db, type Job, type JobContext, type JobsOf, job } from '@icosa/kernel'
import { perform } from '../actions/perform.ts'
import { openSecrets, withSecret } from '../secrets/secrets.ts'
import type { SchedulerSettings } from '../settings.ts'
import type { Due } from './execution.ts'
import { type Loaded, load } from './execution-store.ts'
import { gathered } from './gathered.ts'
import { type Attempt, type FollowUp, settle } from './settle.ts'

export interface Delivery {
  readonly executions: readonly Due[]
}

/** Results that come so close together are written together. */
const togetherMs = 50

/** Makes attempts side by side. Whoever is slow holds up only this job, not the results of the others. */
export function deliverJob(settings: SchedulerSettings): Job<Delivery> {
  const deliver: Job<Delivery> = job<Delivery>('deliver', {
    retries: 10,
    async run({ executions }, context) {
      const { db, transaction, clock } = context
      const due = await load(db, executions)
      for await (const attempts of gathered(
        due.map((one) => attempt(one, settings, context)),
        togetherMs,
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

async function attempt(of: Loaded, settings: SchedulerSettings, context: JobContext): Promise<Attempt> {
  const { clock, fetch, signal, log } = context
  const startedAt = clock.now()
  const off = whyNot(of)
  if (off !== undefined) return { of, status: 'Postponed', message: off, startedAt, endedAt: startedAt }
  const occasion = { tenant: of.tenant, executionId: of.id, expectedAt: of.expectedAt }
  const { done, message } = await Promise.try(() =>
    perform(deedOf(of, context), occasion, { fetch, signal, settings }),
  ).catch((error: Error) => {
    signal.throwIfAborted() // the worker has lost the job: nothing that it does counts
    log.error({ err: error, execution: of.id }, 'an attempt went wrong on our side')
    return { done: false, message: 'Something went wrong on our side.' }
  })
  return { of, status: done ? 'Completed' : 'Failed', message, startedAt, endedAt: clock.now() }
}

/** What has happened since it was fired. */
function whyNot({ state, collectionState, byHand, action, definition }: Loaded): string | undefined {
  if (collectionState !== 'Enabled') return 'It did not happen: the job collection was disabled in the meantime.'
  if (state === 'Disabled' && !byHand) return 'It did not happen: the job was disabled in the meantime.'
  if (action === 'ErrorAction' && !definition.action.errorAction) return 'The job has no error action any more.'
  return undefined
}

function deedOf({ tenant, jobId, action, definition, secrets }: Loaded, { vault }: JobContext) {
  const opened = openSecrets(vault, { tenant, id: jobId }, secrets)
  const { errorAction, ...main } = definition.action
  if (action === 'ErrorAction' && errorAction) return withSecret(errorAction, opened.error)
  return withSecret(main, opened.main)
}

async function follow(jobs: JobsOf, deliver: Job<Delivery>, followUps: readonly FollowUp[], now: Date): Promise<void> {
  for (const [pauseMs, same] of Map.groupBy(followUps, (one) => one.pauseMs)) {
    const executions = same.map(({ due }) => due)
    const at = new Date(now.getTime() + pauseMs)
    await jobs.enqueue(deliver, { executions }, pauseMs > 0 ? { at } : {})
  }
}

/** Ends what no worker could bring to an end, so that its job does not wait for it. */
async function giveUp({ executions }: Delivery, db: Db): Promise<void> {
  const due = await load(db, executions)
  const attempts = due.map((of): Attempt => {
    const { errorAction: _, ...main } = of.definition.action
    const action = { ...main, retryPolicy: { retryType: 'None' as const } }
    const at = { startedAt: of.expectedAt, endedAt: of.expectedAt }
    return { of: { ...of, definition: { action } }, status: 'Failed', message: 'No worker could carry it out.', ...at }
  })
  await settle(db, attempts)
}
