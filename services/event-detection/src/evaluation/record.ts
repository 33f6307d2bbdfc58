import type { Db, JobsOf } from '@icosa/kernel'
import type { Catalogs } from '../catalog/catalog.ts'
import { type Delivery, deliveryOf } from '../deliveries/delivery.ts'
import type { Effect } from '../engine/types.ts'
import { type Concerned, entriesOf, entryOf } from '../journal/entries.ts'
import * as journal from '../journal/store.ts'
import { type Letter, segmentsOf } from '../mailbox/route.ts'
import { put, type TenantLane } from '../mailbox/store.ts'
import { lanesOf } from '../mailbox/wake.ts'
import { publish } from './publish.ts'
import type { Subject } from './subjects.ts'
import type { Happening } from './work.ts'

export interface RecordDependencies {
  readonly catalogs: Catalogs
  /** Has deliveries made, if the transaction commits. */
  send(jobs: JobsOf, deliveries: readonly Delivery[]): Promise<void>
}

/** What happened to an instance. */
export interface InstanceOutcome {
  readonly subject: Subject
  readonly key: string
  readonly happenings: readonly Happening[]
}

/** Writes down what happened and passes on what is to be sent. Answers the lanes that got messages by it. */
export async function record(
  db: Db,
  jobs: JobsOf,
  dependencies: RecordDependencies,
  outcomes: readonly InstanceOutcome[],
): Promise<TenantLane[]> {
  const entries: journal.NewEntry[] = []
  const deliveries: Delivery[] = []
  const letters = new Map<string, Letter[]>()
  const seen = new Map<string, number>()
  const catalogOf = memorized((tenant: string) => dependencies.catalogs.current(db, tenant))
  for (const { subject, key, happenings } of outcomes) {
    const of = concernedBy(subject, key)
    for (const happening of happenings) {
      entries.push(...entriesOf(subject, key, happening, seen))
      for (const effect of happening.step.effects) {
        if (effect.action !== 'iotEvents') deliveries.push(deliveryOf(of, effect, happening.at))
        else {
          const published = publish(await catalogOf(subject.tenant), effect, happening)
          if (typeof published === 'string') entries.push(failureOf(of, effect, happening.at, published))
          else letters.set(of.tenant, [...(letters.get(of.tenant) ?? []), ...published])
        }
      }
    }
  }
  const segments = [...letters].flatMap(([tenant, own]) => segmentsOf(tenant, [own]))
  await journal.write(db, entries)
  await dependencies.send(jobs, deliveries)
  if (segments.length > 0) await put(db, [], segments)
  return lanesOf(segments)
}

function memorized<K, V>(find: (key: K) => V): (key: K) => V {
  const known = new Map<K, V>()
  return (key) => {
    const value = known.get(key) ?? find(key)
    known.set(key, value)
    return value
  }
}

const concernedBy = ({ tenant, kind, name, version }: Subject, key: string): Concerned => ({
  tenant,
  kind,
  name,
  version,
  key,
})

const failureOf = (of: Concerned, { action, eventName, target }: Effect, at: number, reason: string) =>
  entryOf(of, 'failure', at, { action, eventName, target, reason })
