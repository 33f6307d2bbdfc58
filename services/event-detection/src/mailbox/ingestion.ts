import { type AnyJob, Failure, fairQuota, type Platform } from '@icosa/kernel'
import type { Catalog, Catalogs } from '../catalog/catalog.ts'
import type { Message, MessageError } from '../messages/contract.ts'
import { type Routed, route, segmentsOf } from './route.ts'
import { put, type TenantLane } from './store.ts'
import { askFrom, type Evaluation, lanesOf } from './wake.ts'

/** Keeps messages, and answers what was wrong with the others. */
export type Ingest = (tenant: string, messages: readonly Message[]) => Promise<readonly MessageError[]>

export interface Ingestion {
  readonly ingest: Ingest
  /** Waits for what is on its way: also for those whose callers have given up. */
  flush(): Promise<void>
}

interface Waiting {
  readonly tenant: string
  readonly messages: readonly Message[]
  readonly at: number
  routed: Routed
  readonly kept: PromiseWithResolvers<readonly MessageError[]>
}

/** How many messages one insert writes, and how many may wait for theirs. */
const messagesAtOnce = 4_000
const maxWaiting = 100_000
const attempts = 5

/**
 * Writes the messages of concurrent requests together: while one insert is on its way, the next requests wait for the one
 * after it. There is no timer, so nobody waits who is alone. Tenants take turns, so nobody waits for all of another's.
 */
export function openIngestion(
  platform: Platform,
  evaluate: AnyJob<Evaluation>,
  remembered: Pick<Catalogs, 'known' | 'load'>,
): Ingestion {
  const { database, clock } = platform
  /** By tenant, in the order in which they came. */
  const waiting = new Map<string, Waiting[]>()
  const room = fairQuota(maxWaiting)
  let writing: Promise<void> | undefined
  let waking = Promise.resolve()

  async function ingest(tenant: string, messages: readonly Message[]): Promise<readonly MessageError[]> {
    const catalog = remembered.known(tenant) ?? (await remembered.load(database, tenant))
    if (!room.acquire(tenant, messages.length))
      throw new Failure('unavailable', 'More messages come than can be written: try again in a moment.', {
        retryAfterSeconds: 1,
      })
    const at = clock.now().getTime()
    const kept = Promise.withResolvers<readonly MessageError[]>()
    // Routed here, while another insert is on its way.
    const routed = route(catalog, messages, at)
    const line = waiting.get(tenant) ?? []
    waiting.set(tenant, line)
    line.push({ tenant, messages, at, routed, kept })
    writing ??= writeAll()
    return kept.promise
  }

  async function writeAll(): Promise<void> {
    while (waiting.size > 0) {
      const batch = nextBatch()
      try {
        const lanes = await write(batch)
        // The next insert does not wait until these are woken; their senders do.
        waking = Promise.all([waking, wake(batch, lanes)]).then(() => {})
      } catch (error) {
        for (const { kept } of batch) kept.reject(error)
      }
    }
    writing = undefined
  }

  /** A request of each tenant in turn. Who was served goes behind the others. */
  function nextBatch(): Waiting[] {
    const batch: Waiting[] = []
    let messages = 0
    for (const [tenant, line] of waiting) {
      const one = line.shift()
      waiting.delete(tenant)
      if (!one) continue
      batch.push(one)
      room.release(tenant, one.messages.length)
      messages += one.messages.length
      if (line.length > 0) waiting.set(tenant, line) // it comes round again, in this loop
      if (messages >= messagesAtOnce) break
    }
    return batch
  }

  async function write(batch: readonly Waiting[]): Promise<TenantLane[]> {
    for (let attempt = 1; attempt <= attempts; attempt++) {
      const tenants = Map.groupBy(batch, ({ tenant }) => tenant)
      const segments = [...tenants].flatMap(([tenant, own]) =>
        segmentsOf(
          tenant,
          own.map(({ routed }) => routed.letters),
        ),
      )
      const stale = await put(database, versionsIn(batch), segments)
      if (stale.length === 0) return lanesOf(segments)
      await rerouteFor(new Set(stale), batch)
    }
    throw new Failure('unavailable', 'Inputs and models change too fast: try again in a moment.')
  }

  async function rerouteFor(tenants: ReadonlySet<string>, batch: readonly Waiting[]): Promise<void> {
    const fresh = new Map<string, Catalog>()
    for (const tenant of tenants) fresh.set(tenant, await remembered.load(database, tenant))
    for (const one of batch) {
      const catalog = fresh.get(one.tenant)
      if (catalog) one.routed = route(catalog, one.messages, one.at)
    }
  }

  async function wake(batch: readonly Waiting[], lanes: readonly TenantLane[]): Promise<void> {
    // What could not be woken is found by the evaluation that comes every second.
    if (lanes.length > 0)
      await askFrom(platform, evaluate, lanes).catch((error) =>
        platform.log.warn({ err: error }, 'an evaluation could not be asked for'),
      )
    for (const { routed, kept } of batch) kept.resolve(routed.errors)
  }

  async function flush(): Promise<void> {
    await writing
    await waking
  }

  return { ingest, flush }
}

/** Requests of one tenant may have been routed by different versions: each must hold. */
function versionsIn(batch: readonly Waiting[]) {
  const used = new Map(batch.map(({ routed: { catalog } }) => [`${catalog.version} ${catalog.tenant}`, catalog]))
  return [...used.values()].map(({ tenant, version }) => ({ tenant, version }))
}
