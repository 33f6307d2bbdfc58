import { randomUUID } from 'node:crypto'
import type { Db, Job, JobsOf } from '@icosa/kernel'
import * as hosts from './host-store.ts'

/** A job's turn at a host. The claim is in the input: whoever runs the job again after a crash still has the host. */
export interface Turn {
  readonly host: string
  readonly claim: string
}

/** For waiting in the queue and for the turn itself; after it the host is given to another. */
export const claimMs = 10 * 60_000

/** Has what is due at these hosts fetched, each by one job at a time. */
export type SendTo = (db: Db, jobs: JobsOf, hosts: readonly string[], now: Date) => Promise<void>

export function turnsOf(crawlHost: Job<Turn>) {
  /** Gives the free ones of these hosts to a job each; answers how many those are. */
  async function give(db: Db, jobs: JobsOf, wanted: readonly string[], now: Date): Promise<number> {
    const turns = wanted.map((host) => ({ host, claim: randomUUID() }))
    const claimed = await hosts.claim(db, turns, now, new Date(now.getTime() + claimMs))
    for (const turn of turns) if (claimed.has(turn.host)) await jobs.enqueue(crawlHost, turn)
    return claimed.size
  }

  /** A host that another job has is left to it: it looks for more before it gives the host back. */
  const sendTo: SendTo = async (db, jobs, wanted, now) => {
    const due: string[] = []
    for (const host of wanted) if (await hosts.isDue(db, host, now)) due.push(host)
    await give(db, jobs, due, now)
  }

  return { give, sendTo }
}
