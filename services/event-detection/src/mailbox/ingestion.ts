import { Failure, type Job, type Platform } from '@icosa/kernel'
import { type Catalog, catalogs } from '../catalog/catalog.ts'
import type { Message, MessageError } from '../messages/contract.ts'
import { type Routed, route, segmentsOf } from './route.ts'
import { put } from './store.ts'
import { askFrom, type Evaluation, lanesOf } from './wake.ts'

/** Keeps messages, and answers what was wrong with the others. */
export type Ingest = (tenant: string, messages: readonly Message[]) => Promise<readonly MessageError[]>

interface Waiting {
  readonly tenant: string
  readonly messages: readonly Message[]
  readonly at: number
  routed: Routed
  readonly kept: PromiseWithResolvers<readonly MessageError[]>
}

/** How many messages one insert writes, and how many may wait for theirs. */
const messagesAtOnce = 4_000
const mostWaiting = 100_000
const attempts = 5

/**
 * Writes the messages of concurrent requests together: while one insert is on its way, the next requests wait for the one
 * after it. There is no timer, so nobody waits who is alone.
 */
export function ingestion(platform: Platform, evaluate: Job<Evaluation>): Ingest {
  const { database, clock } = platform
  const remembered = catalogs()
  let waiting: Waiting[] = []
  let waitingMessages = 0
  let writing = false

  async function ingest(tenant: string, messages: readonly Message[]): Promise<readonly MessageError[]> {
    if (waitingMessages > mostWaiting)
      throw new Failure('unavailable', 'More messages come than can be written: try again in a moment.', {
        retryAfterSeconds: 1,
      })
    const catalog = remembered.known(tenant) ?? (await remembered.load(database, tenant))
    const at = clock.now().getTime()
    const kept = Promise.withResolvers<readonly MessageError[]>()
    // Routed here, while another insert is on its way.
    waiting.push({ tenant, messages, at, routed: route(catalog, messages, at), kept })
    waitingMessages += messages.length
    if (!writing) void writeAll()
    return kept.promise
  }

  async function writeAll(): Promise<void> {
    writing = true
    while (waiting.length > 0) {
      const batch = nextBatch()
      try {
        const lanes = await write(batch)
        // The next insert does not wait until these are woken; their senders do.
        void wake(batch, lanes)
      } catch (error) {
        for (const { kept } of batch) kept.reject(error)
      }
    }
    writing = false
  }

  function nextBatch(): Waiting[] {
    let messages = 0
    const end = waiting.findIndex((one) => {
      messages += one.messages.length
      return messages > messagesAtOnce
    })
    const batch = end === -1 ? waiting : waiting.slice(0, Math.max(end, 1))
    waiting = waiting.slice(batch.length)
    for (const one of batch) waitingMessages -= one.messages.length
    return batch
  }

  async function write(batch: readonly Waiting[]): Promise<number[]> {
    for (let attempt = 1; attempt <= attempts; attempt++) {
      const segments = segmentsOf(batch.map(({ routed }) => routed.letters))
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

  async function wake(batch: readonly Waiting[], lanes: readonly number[]): Promise<void> {
    // What could not be woken is found by the evaluation that comes every second.
    if (lanes.length > 0)
      await askFrom(platform, evaluate, lanes).catch((error) =>
        platform.log.warn({ err: error }, 'an evaluation could not be asked for'),
      )
    for (const { routed, kept } of batch) kept.resolve(routed.errors)
  }

  return ingest
}

/** Requests of one tenant may have been routed by different versions: each must hold. */
function versionsIn(batch: readonly Waiting[]) {
  const used = new Map(batch.map(({ routed: { catalog } }) => [`${catalog.version} ${catalog.tenant}`, catalog]))
  return [...used.values()].map(({ tenant, version }) => ({ tenant, version }))
}
