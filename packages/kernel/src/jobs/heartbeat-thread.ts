import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { openDatabase } from '../db/db.ts'
import { type Found, type KeptClaim, renewAll } from './renew.ts'

export interface Rhythm {
  /** How often leases are renewed. */
  readonly everyMs: number
  /** How long leases are renewed while the event loop does not respond. */
  readonly patienceMs: number
}

export interface ThreadData extends Rhythm {
  readonly databaseUrl: string
}

/** Jobs that start; or all running jobs, the reply to any message of the thread. */
export type ToThread = { readonly begun: readonly KeptClaim[] } | { readonly running: readonly KeptClaim[] }

const { databaseUrl, everyMs, patienceMs } = workerData as ThreadData
/** After an error: leases last 10 s, and a server that is down is not to be asked often by every node. */
const pauseMs = Math.min(2_000, everyMs)
/** For a reply of the event loop, which usually is immediate. */
const answerMs = Math.min(200, everyMs)
/** A server that has not answered by then is considered dead. */
const statementMs = 5_000

const connect = () => openDatabase({ url: databaseUrl, maxConnections: 1, onError: () => {} })
let database = connect()
let claims = new Map<string, KeptClaim>()
let heardAt = performance.now()
let answered = () => {}

const byId = (entries: readonly KeptClaim[]) => entries.map((claim) => [claim.id, claim] as const)

parentPort?.on('message', (message: ToThread) => {
  heardAt = performance.now()
  if ('begun' in message) for (const [id, claim] of byId(message.begun)) claims.set(id, claim)
  if ('running' in message) {
    claims = new Map(byId(message.running))
    answered()
  }
})

/** Posts a result. The event loop replies with the running jobs. */
async function say(result: Found): Promise<void> {
  const answer = new Promise<void>((resolve) => {
    answered = resolve
  })
  parentPort?.postMessage(result)
  await Promise.race([answer, sleep(answerMs)])
}

async function turn(): Promise<number> {
  if (claims.size === 0) return everyMs
  await say({ lost: [], cancelled: [] }) // jobs that have ended cost no statement
  if (claims.size === 0 || performance.now() - heardAt > patienceMs) return everyMs
  const result = await Promise.race([
    renewAll(database, [...claims.values()]).catch(() => undefined),
    sleep(statementMs, undefined, { ref: false }),
  ])
  if (result) {
    for (const id of result.lost) claims.delete(id)
    if (result.lost.length + result.cancelled.length > 0) parentPort?.postMessage(result)
    return everyMs
  }
  database.abandon()
  database = connect()
  return pauseMs
}

for (;;) await sleep(await turn())
