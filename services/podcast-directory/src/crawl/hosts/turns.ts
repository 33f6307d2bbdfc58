import { randomUUID } from 'node:crypto'
import type { AnyJob, Db, JobsOf } from '@icosa/kernel'
import * as visits from '../visits/store.ts'
import * as hosts from './store.ts'
import * as store from './turn-store.ts'

/** A job's turn at a host. The claim is in the input: whoever runs the job again after a crash still has the host. */
export interface Turn {
  readonly host: string
  readonly claim: string
}

/** Of a host, for a turn; after it the host is given to another. */
const claimMs = 10 * 60_000
/** For waiting in the queue; after it another job is sent. */
const waitMs = 3_600_000

/** Has what a tenant has due at a host fetched. */
export type SendTo = (db: Db, jobs: JobsOf, turn: store.TurnKey, now: Date) => Promise<void>

export function turnsOf(crawlHost: AnyJob<Turn>) {
  /** Sends a job each to those of these for which none is on its way; answers how many those are. */
  async function give(db: Db, jobs: JobsOf, keys: readonly store.TurnKey[], now: Date): Promise<number> {
    const turns = keys.map((one) => ({ ...one, claim: randomUUID() }))
    const given = await store.give(db, turns, now, new Date(now.getTime() + waitMs))
    await jobs.enqueueAll(
      crawlHost,
      given.map(({ host, tenant, claim }) => ({ input: { host, claim }, tenant })),
    )
    return given.length
  }

  /** To a host that another job has, too: that one looks for more before it gives the host back, or this one gets it. */
  const sendTo: SendTo = async (db, jobs, turn, now) => {
    if (await visits.nextOf(db, turn.host, turn.tenant, now)) await give(db, jobs, [turn], now)
  }

  return { give, sendTo }
}

/** Gets the host for a job that has arrived, or has come again. False if another job has it. */
export async function arrive(db: Db, { host, claim }: Turn, now: Date): Promise<boolean> {
  const until = new Date(now.getTime() + claimMs)
  if (await hosts.keep(db, host, claim, until)) return true
  // First the host, then the turn, as who gives a host back does it: those two must not wait for each other.
  const isFree = await hosts.claim(db, host, claim, now, until)
  const isOurs = await store.take(db, host, claim)
  if (isFree && !isOurs) await hosts.giveBack(db, host, claim) // it took so long that another job was sent
  return isFree && isOurs
}
