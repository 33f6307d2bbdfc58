import type { Db, JobsOf } from '@icosa/kernel'
import type { Catalog, Catalogs } from '../catalog/catalog.ts'
import { type Delivery, deliveryOf } from '../deliveries/delivery.ts'
import type { Effect } from '../engine/types.ts'
import { entriesOf, entryOf, type InstanceRef } from '../journal/entries.ts'
import * as journal from '../journal/store.ts'
import { type Envelope, envelopeOf, segmentsOf } from '../mailbox/route.ts'
import { put, type TenantLane } from '../mailbox/store.ts'
import { lanesOf } from '../mailbox/wake.ts'
import { contentOf, destinationsOf } from '../messages/read.ts'
import type { Subject } from './subjects.ts'
import type { TriggerResult } from './work.ts'

export interface RecordDependencies {
  readonly catalogs: Catalogs
  /** Enqueues deliveries within the transaction. */
  send(jobs: JobsOf, deliveries: readonly Delivery[]): Promise<void>
}

export interface InstanceOutcome {
  readonly subject: Subject
  readonly key: string
  readonly results: readonly TriggerResult[]
}

/** Writes journal entries, deliveries and published messages. Returns the lanes that got messages. */
export async function record(
  db: Db,
  jobs: JobsOf,
  dependencies: RecordDependencies,
  outcomes: readonly InstanceOutcome[],
): Promise<TenantLane[]> {
  const entries: journal.NewEntry[] = []
  const deliveries: Delivery[] = []
  const envelopes = new Map<string, Envelope[]>()
  const errorCounts = new Map<string, number>()
  const catalogOf = memoize((tenant: string) => dependencies.catalogs.current(db, tenant))
  for (const { subject, key, results } of outcomes) {
    const of = refOf(subject, key)
    for (const result of results) {
      entries.push(...entriesOf(subject, key, result, errorCounts))
      for (const effect of result.step.effects) {
        if (effect.action !== 'iotEvents') deliveries.push(deliveryOf(of, effect, result.at))
        else {
          const routed = publish(await catalogOf(subject.tenant), effect, result)
          if (typeof routed === 'string') entries.push(failureOf(of, effect, result.at, routed))
          else envelopes.set(of.tenant, [...(envelopes.get(of.tenant) ?? []), ...routed])
        }
      }
    }
  }
  const segments = [...envelopes].flatMap(([tenant, list]) => segmentsOf(tenant, [list]))
  await journal.write(db, entries)
  await dependencies.send(jobs, deliveries)
  if (segments.length > 0) await put(db, [], segments)
  return lanesOf(segments)
}

function memoize<K, V>(find: (key: K) => V): (key: K) => V {
  const cache = new Map<K, V>()
  return (key) => {
    const value = cache.get(key) ?? find(key)
    cache.set(key, value)
    return value
  }
}

const refOf = ({ tenant, kind, name, version }: Subject, key: string): InstanceRef => ({
  tenant,
  kind,
  name,
  version,
  key,
})

const failureOf = (of: InstanceRef, { action, eventName, target }: Effect, at: number, reason: string) =>
  entryOf(of, 'failure', at, { action, eventName, target, reason })

/** Maximum chain of messages caused by messages, to stop loops. */
const maxDepth = 10

/** Turns an action into messages for the models that read its input, or returns an error message. */
function publish(
  { inputs }: Catalog,
  { id: messageId, target, payload }: Effect,
  { at, depth }: { readonly at: number; readonly depth: number },
): readonly Envelope[] | string {
  const inputName = String(target.inputName)
  if (depth >= maxDepth) return `Messages have triggered each other ${maxDepth} times: the models feed each other.`
  const input = inputs.get(inputName)
  if (!input) return `There is no input '${inputName}'.`
  const content = contentOf(payload)
  if (typeof content === 'string') return content
  const destinations = destinationsOf(input, content)
  if (typeof destinations === 'string') return destinations
  const message = { messageId, inputName, at, depth: depth + 1, payload: content.text }
  return destinations.map((destination) => envelopeOf({ ...destination, ...message }))
}
