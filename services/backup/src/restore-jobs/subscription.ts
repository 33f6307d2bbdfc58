import { demandSubscription, holdSubscription } from '@icosa/dialects/arm/subscriptions'
import type { JobContext, RestoreMetadata, Work } from '@icosa/kernel'
import type { ServiceRuntime } from '../runtime.ts'

/** Metadata keys of a resource's subscription, with the noun of its dialect. */
const nouns = { subscriptionId: 'subscription', project: 'project' } as const

/**
 * A restore creates a resource without a request to its service, whose dialect would check the subscription. So it is checked
 * here for all types: before anything is read, and again in each transaction of the restore, which locks it as a request would.
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
  for (const subscription of subscriptions) await demandSubscription(db, subscription)
  return {
    ...context,
    transaction: <T>(work: Work<T>) =>
      context.transaction(async (last, ...rest) => {
        for (const subscription of subscriptions) await holdSubscription(last, clock, subscription)
        return work(last, ...rest)
      }),
  }
}
