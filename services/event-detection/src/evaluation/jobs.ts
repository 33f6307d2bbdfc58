import { type Job, type JobContext, job } from '@icosa/kernel'
import { laneCount } from '../mailbox/partition.ts'
import type { TenantLane } from '../mailbox/store.ts'
import { type Evaluation, requestEvaluations } from '../mailbox/wake.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { type EvaluationDependencies, turn } from './turn.ts'

/** A job yields after this many turns, so that a worker can stop. */
const turnsPerJob = 200
/** Messages per transaction, a trade-off between commit overhead and latency of other tenants. */
const messagesPerTurn = 1_000
const messagesPerSharedTurn = 200

const everyLane = Array.from({ length: laneCount }, (_, lane) => lane)

/** Evaluates queued messages and expired timers of a tenant. */
export function evaluateJob(send: EvaluationDependencies['send']): Job<Evaluation, ServiceRuntime> {
  const evaluate: Job<Evaluation, ServiceRuntime> = job<Evaluation, ServiceRuntime>('evaluate', {
    retries: 0, // the schedule retries within a second
    async run({ lane }, context) {
      const isEmpty = await drain({ tenant: context.tenant, lane }, context)
      return async (_db, jobs) => {
        if (!isEmpty) await requestEvaluations(jobs, evaluate, [{ tenant: context.tenant, lane }])
      }
    },
  })

  /** Runs turns until the lanes are empty or the limit is reached. Returns whether they are empty. */
  async function drain({ tenant, lane }: TenantLane, context: JobContext<ServiceRuntime>): Promise<boolean> {
    const { clock, transaction, signal, runtime } = context
    const { subjects, catalogs, turns } = runtime
    const lanes = lane === undefined ? everyLane : [lane]
    const dependencies = { subjects, catalogs, send, clock }
    let after = -1
    for (let count = 0; count < turnsPerJob && !signal.aborted; count++) {
      const messages = turns.hasCompetition(tenant) ? messagesPerSharedTurn : messagesPerTurn
      const options = { tenant, lanes, after, messages }
      const result = await turns.run(tenant, () => transaction((tx, jobs) => turn(tx, jobs, dependencies, options)))
      if (!result) return true
      after = result.partition
      const others = result.lanes.filter((target) => target.lane === undefined || !lanes.includes(target.lane))
      if (others.length > 0) await transaction((_db, jobs) => requestEvaluations(jobs, evaluate, others))
    }
    return false
  }
  return evaluate
}
