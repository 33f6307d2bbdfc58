import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Job, type ReadingDb, sql } from '@icosa/kernel'
import { credentialsFor, latencyOf, type Neighbours, startTestApp } from '@icosa/testing'
import { catalogs } from '../catalog/catalog.ts'
import { eventDetection } from '../index.ts'
import { openIngestion } from '../mailbox/ingestion.ts'
import type { Evaluation } from '../mailbox/wake.ts'
import { callsOf } from './app.ts'
import { readingOf } from './load.ts'
import { readingInput, swing } from './models.ts'

export interface EvaluationNeighbours extends Neighbours {
  /** Messages of the flood that were evaluated before the first one of the other tenant. */
  readonly overtaking: number
}

const keys = 10_000
const batchSize = 200

/**
 * Measures the latency from a tenant's message to its detector's state, with a worker in its own process, alone and with so many
 * queued messages of another tenant.
 */
export async function evaluationNeighbours(flood: number, probes: number): Promise<EvaluationNeighbours> {
  const service = eventDetection()
  await using app = await startTestApp({ services: [service] })
  const { database } = app.platform
  const evaluate = service.jobs?.find(({ name }) => name === 'evaluate') as Job<Evaluation>
  const { ingest } = openIngestion(app.platform, evaluate, catalogs())
  for (const tenant of ['acme', 'evil']) {
    const calls = callsOf(await credentialsFor(app, service, tenant))
    await calls.CreateInput({ body: readingInput })
    await calls.CreateDetectorModel({ body: swing })
  }
  const folder = await mkdtemp(join(tmpdir(), 'icosa-neighbours-'))
  let sent = 0
  const probe = async () => {
    await ingest('acme', [readingOf(sent++, 'own')])
    while ((await countedBy(database, 'acme', 'own')) < sent) await sleep(2)
  }
  const waiting = () => waitingOf(database, 'evil')
  try {
    const first = await startWorker(app.databaseUrl, folder)
    await latencyOf(10, probe)
    const quiet = await latencyOf(probes, probe)
    while (await isBusy(database, service.name)) await sleep(10) // so that killing it interrupts no evaluation
    await end(first)
    const batch = Array.from({ length: batchSize })
    for (let from = 0; from < flood; from += batchSize)
      await ingest(
        'evil',
        batch.map((_, index) => readingOf(from + index, `k${(from + index) % keys}`)),
      )
    const second = await startWorker(app.databaseUrl, folder)
    const before = await waiting()
    while ((await waiting()) === before) await sleep(10) // until it has started
    const remaining = await waiting()
    await probe()
    const overtaking = remaining - (await waiting())
    const flooded = await latencyOf(probes, probe)
    await end(second)
    return { quiet, flooded, overtaking }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function startWorker(databaseUrl: string, folder: string): Promise<ChildProcess> {
  const worker = fork(new URL('./worker.ts', import.meta.url), [databaseUrl, folder, '32'])
  await once(worker, 'message')
  return worker
}

async function end(worker: ChildProcess): Promise<void> {
  worker.kill('SIGKILL')
  await once(worker, 'exit')
}

/** Number of messages that a detector has counted. */
async function countedBy(db: ReadingDb, tenant: string, key: string): Promise<number> {
  const row = await db.maybe<{ count: number }>(sql`
    select (state->'variables'->>'count')::int as count from event_detection.instances
    where tenant = ${tenant} and key = ${key}`)
  return row?.count ?? 0
}

/** Number of queued messages of a tenant. */
async function waitingOf(db: ReadingDb, tenant: string): Promise<number> {
  const { count } = await db.one<{ count: number }>(sql`
    select coalesce(sum(messages), 0)::int as count from event_detection.mailbox where tenant = ${tenant}`)
  return count
}

/** Whether jobs of the service are pending. */
async function isBusy(db: ReadingDb, service: string): Promise<boolean> {
  const { busy } = await db.one<{ busy: boolean }>(sql`
    select exists (select from icosa.jobs where queue = ${service}) as busy`)
  return busy
}
