import { type Clock, type Db, type Job, type JobContext, type JobsOf, job } from '@icosa/kernel'
import { catalogs } from '../catalog/catalog.ts'
import { nextDue } from '../instances/store.ts'
import { laneCount } from '../mailbox/partition.ts'
import { markAimed, markBegun } from '../mailbox/store.ts'
import { ask, type Evaluation } from '../mailbox/wake.ts'
import { subjects } from './subjects.ts'
import { type Means, turn } from './turn.ts'

/** How often all lanes are looked at, for timers and for what nobody was woken for. */
export const lookEveryMs = 1_000
/** Timers that run out at almost the same time are fired together. */
const togetherMs = 50
/** After so many turns a job makes room for others, so that a worker can stop. */
const turnsAtOnce = 200

const everyLane = Array.from({ length: laneCount }, (_, lane) => lane)

/** Evaluates what waits in the mailbox, and timers that have run out. */
export function evaluateJob(send: Means['send']): Job<Evaluation> {
  const known = { subjects: subjects(), catalogs: catalogs(), send }
  const evaluate: Job<Evaluation> = job<Evaluation>('evaluate', {
    retries: 0, // the next one is a second away
    async run({ lane }, context) {
      const lanes = lane === undefined ? everyLane : [lane]
      const isOver = await drain({ ...known, clock: context.clock }, evaluate, lanes, context)
      return async (db, jobs) => {
        if (!isOver) await ask(db, jobs, evaluate, lanes)
        else if (lane === undefined) await aim(db, jobs, context.clock)
      }
    },
  })

  /** The next timer is fired to the moment, if that is before the next look. */
  async function aim(db: Db, jobs: JobsOf, clock: Clock): Promise<void> {
    const due = (await nextDue(db))?.getTime()
    const now = clock.now()
    if (due === undefined || due > now.getTime() + lookEveryMs) return
    const at = new Date(Math.max(due, now.getTime() + togetherMs))
    if (await markAimed(db, at, now)) await jobs.enqueue(evaluate, {}, { at })
  }
  return evaluate
}

/** Turns until nothing is left, or until it has been enough. Answers whether nothing was left. */
async function drain(
  means: Means,
  evaluate: Job<Evaluation>,
  lanes: readonly number[],
  { db, transaction, signal }: JobContext,
): Promise<boolean> {
  await markBegun(db, lanes) // before looking: whoever writes from now on asks again
  let after = -1
  for (let count = 0; count < turnsAtOnce && !signal.aborted; count++) {
    const done = await transaction((tx, jobs) => turn(tx, jobs, means, lanes, after))
    if (!done) return true
    after = done.partition
    const others = done.fed.filter((lane) => !lanes.includes(lane))
    if (others.length > 0) await transaction((tx, jobs) => ask(tx, jobs, evaluate, others))
  }
  return false
}
