import { type AnyJob, Failure, fairQuota, type Platform } from '@icosa/kernel'
import type { Catalog, Catalogs } from '../catalog/catalog.ts'
import type { Message, MessageError } from '../messages/contract.ts'
import { type Routed, route, segmentsOf } from './route.ts'
import { put, type TenantLane } from './store.ts'
import { type Evaluation, lanesOf, requestEvaluationsNow } from './wake.ts'

/** Stores valid messages. Returns errors of the others. */
export type Ingest = (tenant: string, messages: readonly Message[]) => Promise<readonly MessageError[]>

export interface Ingestion {
  readonly ingest: Ingest
  /** Waits for pending writes, also of disconnected callers. */
  flush(): Promise<void>
}

interface PendingRequest {
  readonly tenant: string
  readonly messages: readonly Message[]
  readonly at: number
  routed: Routed
  readonly completion: PromiseWithResolvers<readonly MessageError[]>
}

const messagesPerInsert = 4_000
const maxPending = 100_000
const attempts = 5

/**
 * Batches the messages of concurrent requests: while one insert is in progress, further requests wait for the next one. There
 * is no timer, so a single request is written immediately. Batches are fair between tenants.
 */
export function openIngestion(
  platform: Platform,
  evaluate: AnyJob<Evaluation>,
  catalogs: Pick<Catalogs, 'cached' | 'load'>,
): Ingestion {
  const { database, clock } = platform
  /** By tenant, FIFO. */
  const queues = new Map<string, PendingRequest[]>()
  const quota = fairQuota(maxPending)
  let writing: Promise<void> | undefined
  let waking = Promise.resolve()

  async function ingest(tenant: string, messages: readonly Message[]): Promise<readonly MessageError[]> {
    const catalog = catalogs.cached(tenant) ?? (await catalogs.load(database, tenant))
    if (!quota.acquire(tenant, messages.length))
      throw new Failure('unavailable', 'Too many messages are queued: try again in a moment.', {
        retryAfterSeconds: 1,
      })
    const at = clock.now().getTime()
    const completion = Promise.withResolvers<readonly MessageError[]>()
    // Routed here, while another insert is in progress.
    const routed = route(catalog, messages, at)
    const queue = queues.get(tenant) ?? []
    queues.set(tenant, queue)
    queue.push({ tenant, messages, at, routed, completion })
    writing ??= writeAll()
    return completion.promise
  }

  async function writeAll(): Promise<void> {
    while (queues.size > 0) {
      const batch = nextBatch()
      try {
        const lanes = await write(batch)
        // Senders wait for the wake-up; the next insert does not.
        waking = Promise.all([waking, wake(batch, lanes)]).then(() => {})
      } catch (error) {
        for (const { completion } of batch) completion.reject(error)
      }
    }
    writing = undefined
  }

  /** Round-robin over tenants, one request each. */
  function nextBatch(): PendingRequest[] {
    const batch: PendingRequest[] = []
    let messages = 0
    for (const [tenant, queue] of queues) {
      const request = queue.shift()
      queues.delete(tenant)
      if (!request) continue
      batch.push(request)
      quota.release(tenant, request.messages.length)
      messages += request.messages.length
      if (queue.length > 0) queues.set(tenant, queue) // at the end, visited again in this loop
      if (messages >= messagesPerInsert) break
    }
    return batch
  }

  async function write(batch: readonly PendingRequest[]): Promise<TenantLane[]> {
    for (let attempt = 1; attempt <= attempts; attempt++) {
      const tenants = Map.groupBy(batch, ({ tenant }) => tenant)
      const segments = [...tenants].flatMap(([tenant, requests]) =>
        segmentsOf(
          tenant,
          requests.map(({ routed }) => routed.envelopes),
        ),
      )
      const stale = await put(database, versionsIn(batch), segments)
      if (stale.length === 0) return lanesOf(segments)
      await rerouteFor(new Set(stale), batch)
    }
    throw new Failure('unavailable', 'Inputs and models are changing too fast: try again in a moment.')
  }

  async function rerouteFor(tenants: ReadonlySet<string>, batch: readonly PendingRequest[]): Promise<void> {
    const fresh = new Map<string, Catalog>()
    for (const tenant of tenants) fresh.set(tenant, await catalogs.load(database, tenant))
    for (const request of batch) {
      const catalog = fresh.get(request.tenant)
      if (catalog) request.routed = route(catalog, request.messages, request.at)
    }
  }

  async function wake(batch: readonly PendingRequest[], lanes: readonly TenantLane[]): Promise<void> {
    // A lost wake-up is found by the schedule within a second.
    if (lanes.length > 0)
      await requestEvaluationsNow(platform, evaluate, lanes).catch((error) =>
        platform.log.warn({ err: error }, 'cannot request an evaluation'),
      )
    for (const { routed, completion } of batch) completion.resolve(routed.errors)
  }

  async function flush(): Promise<void> {
    await writing
    await waking
  }

  return { ingest, flush }
}

/** Requests of one tenant may have been routed by different versions, all of which are checked. */
function versionsIn(batch: readonly PendingRequest[]) {
  const used = new Map(batch.map(({ routed: { catalog } }) => [`${catalog.version} ${catalog.tenant}`, catalog]))
  return [...used.values()].map(({ tenant, version }) => ({ tenant, version }))
}
