import { demandSubscription, holdSubscription } from '@icosa/dialects/arm/subscriptions'
import type { JobContext, RestoreMetadata, Work } from '@icosa/kernel'
import type { ServiceRuntime } from '../runtime.ts'

/** How metadata names the subscription of a resource, by the noun of its dialect. */
const nouns = { subscriptionId: 'subscription', project: 'project' } as const

/**
 * A restore creates a resource without a request to its service, whose dialect would check the subscription. So it is checked
 * here, for all types: before anything is read, and in each transaction of the restore, which holds it as a request would.
 */
export async function inSubscription(
  metadata: RestoreMetadata,
  context: JobContext<ServiceRuntime>,
): Promise<JobContext<ServiceRuntime>> {
  const { db, clock, tenant, runtime } = context
  const subscriptions = Object.entries(nouns).flatMap(([key, noun]) => {
    const id = metadata[key]
    return id === undefined ? [] : { id, noun, tenant, rule: runtime.subscriptions }
  })
  for (const one of subscriptions) await demandSubscription(db, one)
  return {
    ...context,
    transaction: <T>(work: Work<T>) =>
      context.transaction(async (last, ...rest) => {
        for (const one of subscriptions) await holdSubscription(last, clock, one)
        return work(last, ...rest)
      }),
  }
}
