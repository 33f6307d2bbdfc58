import type { Job, Service } from '@icosa/kernel'
import { credentialsFor, startTestApp, type TestApp } from '@icosa/testing'
import { catalogs } from '../catalog/catalog.ts'
import type { CreateDetectorModelRequest } from '../detector-models/contract.ts'
import { eventDetection } from '../index.ts'
import { type Ingest, openIngestion } from '../mailbox/ingestion.ts'
import type { Evaluation } from '../mailbox/wake.ts'
import { callsOf, message } from './app.ts'
import { readingInput } from './models.ts'
import { storeCopies } from './stored-store.ts'

export interface Cell extends AsyncDisposable {
  readonly app: TestApp
  readonly service: Service
  /** Ingests messages without HTTP. */
  readonly ingest: Ingest
}

/** A service with one model and its own database. */
export async function startCell(
  model: CreateDetectorModelRequest,
  concurrency = 16,
  background = false,
): Promise<Cell> {
  const service = eventDetection()
  const app = await startTestApp({ services: [service], worker: { concurrency, background } })
  const calls = callsOf(await credentialsFor(app, service, 'acme'))
  await calls.CreateInput({ body: readingInput })
  await calls.CreateDetectorModel({ body: model })
  const evaluate = service.jobs?.find(({ name }) => name === 'evaluate') as Job<Evaluation>
  const { ingest } = openIngestion(app.platform, evaluate, catalogs())
  return { app, service, ingest, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() }
}

export const readingOf = (id: number, sensor: string) =>
  message(`m${id}`, 'Reading', { sensor, value: id % 100, place: { floor: 3 } })

/** Sends a message for each key, in parallel batches. */
export async function sendTo({ ingest }: Cell, keys: readonly string[], batchSize = 200): Promise<void> {
  let next = 0
  const sender = async () => {
    while (next < keys.length) {
      const batch = keys.slice(next, next + batchSize)
      const from = next
      next += batch.length
      await ingest(
        'acme',
        batch.map((key, index) => readingOf(from + index, key)),
      )
    }
  }
  await Promise.all(Array.from({ length: 16 }, sender))
}

/** Time of one worker per message in microseconds, all for different keys. */
export async function costPerMessage(cell: Cell, keys: readonly string[]): Promise<number> {
  await sendTo(cell, keys)
  const began = performance.now()
  await cell.app.jobs.drain()
  return ((performance.now() - began) * 1000) / keys.length
}

/** A cell with so many stored keys. */
export async function startCellWith(model: CreateDetectorModelRequest, keys: number): Promise<Cell> {
  const cell = await startCell(model, 1)
  await sendTo(cell, ['first'])
  await cell.app.jobs.drain()
  await storeCopies(cell.app.platform.database, model.detectorModelName, 'first', keys)
  return cell
}

/** Selects distinct keys of `k0`, `k1` ... */
export function someKeys(count: number, of: number): string[] {
  const step = Math.max(1, Math.floor(of / count))
  const offset = Math.floor(Math.random() * step)
  return Array.from({ length: Math.min(count, of) }, (_, index) => `k${(index * step + offset) % of}`)
}
