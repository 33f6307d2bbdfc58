import { randomUUID } from 'node:crypto'
import { exponentialBackoff, nextAttemptAt, type RetryPlan } from '@icosa/delivery'
import { accountOf } from '@icosa/dialects/signed/arn'
import { type Job, type JobsOf, job, type ReadingDb } from '@icosa/kernel'
import type { ServiceRuntime } from '../runtime.ts'
import type { VaultEvent } from '../vaults/contract.ts'
import * as vaults from '../vaults/store.ts'

/** What has happened in a vault. */
export interface Happened {
  readonly tenant: string
  readonly vault: string
  /** What the topic may want to hear of it; each is told by itself. */
  readonly events: readonly VaultEvent[]
  /** The job or recovery point. */
  readonly id: string
  readonly message: string
  readonly at: Date
}

interface Notice {
  readonly id: string
  readonly topic: string
  readonly payload: string
  readonly failures: number
}

const timeoutMs = 10_000

/** For about an hour. */
const retryPlan: RetryPlan = { attempts: 13, pauseMs: exponentialBackoff(1_000, 2) }

/** A notice may arrive twice, with the same id. */
export const deliver: Job<Notice, ServiceRuntime> = job<Notice, ServiceRuntime>('deliverNotice', {
  retries: 10,
  async run({ id, topic, payload, failures }, { runtime, signal, clock, log }) {
    const { eventsUrl: url, send } = runtime
    if (url === undefined) {
      // Whoever asked for notices wants to see them, however quiet the log is otherwise.
      log.child({}, { level: 'info' }).info({ notice: JSON.parse(payload) }, 'backup notice')
      return undefined
    }
    const outcome = await send(
      { url },
      { id, headers: { 'content-type': 'application/json' }, payload },
      { signal, timeoutMs },
    )
    if (outcome.result === 'delivered') return undefined
    const at = nextAttemptAt(outcome, failures + 1, retryPlan, clock.now())
    log.warn({ notice: id, failures: failures + 1, again: at, problem: outcome.message }, 'a notice was not delivered')
    return at && ((_, jobs) => jobs.enqueue(deliver, { id, topic, payload, failures: failures + 1 }, { at }))
  },
})

/** Tells the topic of a vault what has happened, if it wants to hear of that. */
export async function tell(db: ReadingDb, jobs: JobsOf, happened: Happened): Promise<void> {
  const { tenant, vault: name, events, at } = happened
  const vault = await vaults.find(db, tenant, name)
  const topic = vault?.topic
  if (!vault || !topic) return
  for (const event of events.filter((one) => vault.events.includes(one))) {
    const id = randomUUID()
    const payload = JSON.stringify({
      Type: 'Notification',
      MessageId: id,
      TopicArn: topic,
      Subject: `Notification from the vault ${name}`,
      Message: happened.message,
      Timestamp: at.toISOString(),
      MessageAttributes: {
        EventType: { Type: 'String', Value: event },
        AccountId: { Type: 'String', Value: accountOf(tenant) },
        Id: { Type: 'String', Value: happened.id },
      },
    })
    await jobs.enqueue(deliver, { id, topic, payload, failures: 0 }, { tenant })
  }
}
