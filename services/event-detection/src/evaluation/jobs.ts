import { type Job, type JobContext, job } from '@icosa/kernel'
import { laneCount } from '../mailbox/partition.ts'
import type { TenantLane } from '../mailbox/store.ts'
import { ask, type Evaluation } from '../mailbox/wake.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { type EvaluationDependencies, turn } from './turn.ts'

/** After so many turns a job makes room for others, so that a worker can stop. */
const turnsOfJob = 200
/** How much one transaction does: enough to be worth its commit, little enough that no other tenant waits long for it. */
const messagesAlone = 1_000
const messagesInCompany = 200

const everyLane = Array.from({ length: laneCount }, (_, lane) => lane)

/** Evaluates what waits in the mailbox for a tenant, and timers that have run out. */
export function evaluateJob(send: EvaluationDependencies['send']): Job<Evaluation, ServiceRuntime> {
  const evaluate: Job<Evaluation, ServiceRuntime> = job<Evaluation, ServiceRuntime>('evaluate', {
    retries: 0, // what it leaves is found within a second
    async run({ lane }, context) {
      const isOver = await drain({ tenant: context.tenant, lane }, context)
      return async (_db, jobs) => {
        if (!isOver) await ask(jobs, evaluate, [{ tenant: context.tenant, lane }])
      }
    },
  })

  /** Turns until nothing is left, or until it has been enough. Answers whether nothing was left. */
  async function drain({ tenant, lane }: TenantLane, context: JobContext<ServiceRuntime>): Promise<boolean> {
    const { clock, transaction, signal, runtime } = context
    const { subjects, catalogs, turns } = runtime
    const lanes = lane === undefined ? everyLane : [lane]
    const dependencies = { subjects, catalogs, send, clock }
    let after = -1
    for (let count = 0; count < turnsOfJob && !signal.aborted; count++) {
      const messages = turns.hasCompany(tenant) ? messagesInCompany : messagesAlone
      const reach = { tenant, lanes, after, messages }
      const done = await turns.run(tenant, () => transaction((tx, jobs) => turn(tx, jobs, dependencies, reach)))
      if (!done) return true
      after = done.partition
      const others = done.fed.filter((fed) => fed.lane === undefined || !lanes.includes(fed.lane))
      if (others.length > 0) await transaction((_db, jobs) => ask(jobs, evaluate, others))
    }
    return false
  }
  return evaluate
}
