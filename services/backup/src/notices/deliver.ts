import { randomUUID } from 'node:crypto'
import { exponentialBackoff, nextAttemptAt, type RetryPlan } from '@icosa/delivery'
import { accountOf } from '@icosa/dialects/signed/arn'
import { type Job, type JobsOf, job, type ReadingDb } from '@icosa/kernel'
import type { ServiceRuntime } from '../runtime.ts'
import type { VaultEvent } from '../vaults/contract.ts'
import * as vaults from '../vaults/store.ts'

/** An event in a vault. */
export interface Occurrence {
  readonly tenant: string
  readonly vault: string
  /** Each event that the topic subscribes to is sent as a notice of its own. */
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
      // Logged even at a level above info: the vault's owner has subscribed to notices.
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

/** Sends the events to which the topic of a vault subscribes. */
export async function notify(db: ReadingDb, jobs: JobsOf, occurrence: Occurrence): Promise<void> {
  const { tenant, vault: name, events, at } = occurrence
  const vault = await vaults.find(db, tenant, name)
  const topic = vault?.topic
  if (!vault || !topic) return
  for (const event of events.filter((candidate) => vault.events.includes(candidate))) {
    const id = randomUUID()
    const payload = JSON.stringify({
      Type: 'Notification',
      MessageId: id,
      TopicArn: topic,
      Subject: `Notification from the vault ${name}`,
      Message: occurrence.message,
      Timestamp: at.toISOString(),
      MessageAttributes: {
        EventType: { Type: 'String', Value: event },
        AccountId: { Type: 'String', Value: accountOf(tenant) },
        Id: { Type: 'String', Value: occurrence.id },
      },
    })
    await jobs.enqueue(deliver, { id, topic, payload, failures: 0 }, { tenant })
  }
}
