import { randomUUID } from 'node:crypto'
import type { AnyJob, Db, JobsOf } from '@icosa/kernel'
import * as visits from '../visits/store.ts'
import * as hosts from './store.ts'
import * as store from './turn-store.ts'

/** A job's turn at a host. The claim is part of the input, so that a retry after a crash still has the host. */
export interface Turn {
  readonly host: string
  readonly claim: string
}

/** Lease time of a host. */
const claimMs = 10 * 60_000
/** Maximum time in the queue; then another job is sent. */
const waitMs = 3_600_000

/** Enqueues a job for a tenant's due crawls at a host. */
export type SendTo = (db: Db, jobs: JobsOf, turn: store.TurnKey, now: Date) => Promise<void>

export function turnsOf(crawlHost: AnyJob<Turn>) {
  /** Enqueues a job for each turn without a pending one. Returns their number. */
  async function dispatch(db: Db, jobs: JobsOf, keys: readonly store.TurnKey[], now: Date): Promise<number> {
    const turns = keys.map((key) => ({ ...key, claim: randomUUID() }))
    const reserved = await store.reserve(db, turns, now, new Date(now.getTime() + waitMs))
    await jobs.enqueueAll(
      crawlHost,
      reserved.map(({ host, tenant, claim }) => ({ input: { host, claim }, tenant })),
    )
    return reserved.length
  }

  /** Also for a leased host: its job checks for more work before it releases the host, or this one acquires it. */
  const sendTo: SendTo = async (db, jobs, turn, now) => {
    if (await visits.nextOf(db, turn.host, turn.tenant, now)) await dispatch(db, jobs, [turn], now)
  }

  return { dispatch, sendTo }
}

/** Acquires the host for a job that starts or is retried. False if another job has it. */
export async function acquireHost(db: Db, { host, claim }: Turn, now: Date): Promise<boolean> {
  const until = new Date(now.getTime() + claimMs)
  if (await hosts.renew(db, host, claim, until)) return true
  // First the host, then the turn, in the same order as on release, to avoid deadlocks.
  const isFree = await hosts.acquire(db, host, claim, now, until)
  const isReserved = await store.release(db, host, claim)
  if (isFree && !isReserved) await hosts.release(db, host, claim) // the turn has expired, and another job was sent
  return isFree && isReserved
}
