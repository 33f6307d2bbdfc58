import { fairGate, type Job, type JobContext, job } from '@icosa/kernel'
import { catalogs } from '../catalog/catalog.ts'
import { laneCount } from '../mailbox/partition.ts'
import { markBegun, type TenantLane } from '../mailbox/store.ts'
import { ask, type Evaluation } from '../mailbox/wake.ts'
import { subjects } from './subjects.ts'
import { type Means, turn } from './turn.ts'

/** After so many turns a job makes room for others, so that a worker can stop. */
const turnsOfJob = 200
/** How many turns a process takes at the same time. More of them would not be faster, but each would take longer. */
const turnsAtOnce = 3
/** How much one transaction does: enough to be worth its commit, little enough that no other tenant waits long for it. */
const messagesAlone = 1_000
const messagesInCompany = 200
const companyMs = 10_000

const everyLane = Array.from({ length: laneCount }, (_, lane) => lane)

/** Evaluates what waits in the mailbox for a tenant, and timers that have run out. */
export function evaluateJob(send: Means['send']): Job<Evaluation> {
  const known = { subjects: subjects(), catalogs: catalogs(), send }
  const turns = fairGate(turnsAtOnce)
  const hasCompany = company()

  const evaluate: Job<Evaluation> = job<Evaluation>('evaluate', {
    retries: 0, // what it leaves is found within a second
    async run({ lane }, context) {
      const isOver = await drain({ tenant: context.tenant, lane }, context)
      return async (db, jobs) => {
        if (!isOver) await ask(db, jobs, evaluate, [{ tenant: context.tenant, lane }])
      }
    },
  })

  /** Turns until nothing is left, or until it has been enough. Answers whether nothing was left. */
  async function drain(of: TenantLane, { db, clock, transaction, signal }: JobContext): Promise<boolean> {
    const { tenant, lane } = of
    const lanes = lane === undefined ? everyLane : [lane]
    const means = { ...known, clock }
    await markBegun(db, of) // before looking: whoever writes from now on asks again
    let after = -1
    for (let count = 0; count < turnsOfJob && !signal.aborted; count++) {
      const messages = hasCompany(tenant) ? messagesInCompany : messagesAlone
      const reach = { tenant, lanes, after, messages }
      const done = await turns.run(tenant, () => transaction((tx, jobs) => turn(tx, jobs, means, reach)))
      if (!done) return true
      after = done.partition
      const others = done.fed.filter((fed) => fed.lane === undefined || !lanes.includes(fed.lane))
      if (others.length > 0) await transaction((tx, jobs) => ask(tx, jobs, evaluate, others))
    }
    return false
  }
  return evaluate
}

/** Says whether another tenant had something evaluated here a moment ago. */
function company() {
  let last = ''
  let othersAtMs = Number.NEGATIVE_INFINITY
  return (tenant: string): boolean => {
    const nowMs = performance.now()
    if (last !== '' && tenant !== last) othersAtMs = nowMs
    last = tenant
    return nowMs - othersAtMs < companyMs
  }
}
