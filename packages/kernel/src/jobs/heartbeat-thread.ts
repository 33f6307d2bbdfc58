import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { openDatabase } from '../db/db.ts'
import { type Found, type KeptClaim, renewAll } from './renew.ts'

export interface Rhythm {
  /** How often claims are renewed. */
  readonly everyMs: number
  /** For so long they are renewed although the event loop, asked each time, says nothing. */
  readonly patienceMs: number
}

export interface ThreadData extends Rhythm {
  readonly databaseUrl: string
}

/** Jobs that begin; or all that run, which is the answer to whatever the thread says. */
export type ToThread = { readonly begun: readonly KeptClaim[] } | { readonly running: readonly KeptClaim[] }

const { databaseUrl, everyMs, patienceMs } = workerData as ThreadData
/** After an error, and for an answer of the event loop, which mostly comes at once. */
const pauseMs = Math.min(1_000, everyMs)
const answerMs = Math.min(200, everyMs)
/** A server that does not answer by then is taken for gone. */
const statementMs = 5_000

const connect = () => openDatabase({ url: databaseUrl, maxConnections: 1, onError: () => {} })
let database = connect()
let claims = new Map<string, KeptClaim>()
let heardAt = performance.now()
let answered = () => {}

const byId = (some: readonly KeptClaim[]) => some.map((one) => [one.id, one] as const)

parentPort?.on('message', (message: ToThread) => {
  heardAt = performance.now()
  if ('begun' in message) for (const [id, claim] of byId(message.begun)) claims.set(id, claim)
  if ('running' in message) {
    claims = new Map(byId(message.running))
    answered()
  }
})

/** Says what was found; the answer, if there is one, is what still runs. */
async function say(found: Found): Promise<void> {
  const answer = new Promise<void>((resolve) => {
    answered = resolve
  })
  parentPort?.postMessage(found)
  await Promise.race([answer, sleep(answerMs)])
}

async function turn(): Promise<number> {
  if (claims.size === 0) return everyMs
  await say({ lost: [], cancelled: [] }) // what has ended meanwhile costs no statement
  if (claims.size === 0 || performance.now() - heardAt > patienceMs) return everyMs
  const found = await Promise.race([
    renewAll(database, [...claims.values()]).catch(() => undefined),
    sleep(statementMs, undefined, { ref: false }),
  ])
  if (found) {
    for (const id of found.lost) claims.delete(id)
    if (found.lost.length + found.cancelled.length > 0) parentPort?.postMessage(found)
    return everyMs
  }
  database.abandon()
  database = connect()
  return pauseMs
}

for (;;) await sleep(await turn())
