import type { Clock, Db, JobsOf } from '@icosa/kernel'
import * as instances from '../instances/store.ts'
import { partitionOf } from '../mailbox/partition.ts'
import { decodeEntries } from '../mailbox/segment.ts'
import * as mailbox from '../mailbox/store.ts'
import { collect, type Todo } from './collect.ts'
import { type RecordDependencies, record } from './record.ts'
import type { Subjects } from './subjects.ts'
import { type LocatedMessage, type Worked, work } from './work.ts'

export interface EvaluationDependencies extends RecordDependencies {
  readonly clock: Clock
  readonly subjects: Subjects
}

/** What a turn is about. */
export interface Reach {
  readonly tenant: string
  readonly lanes: readonly number[]
  /** The partition that the turn before was about. */
  readonly after: number
  /** So many at most, or a few more. */
  readonly messages: number
}

export interface Turn {
  /** The last partition that it was about. */
  readonly partition: number
  /** Lanes that got messages by what was evaluated. */
  readonly fed: readonly mailbox.TenantLane[]
}

const timersAtOnce = 500

/**
 * Evaluates messages and timers of some of a tenant's partitions. States, transitions, new messages and deliveries are written, and the
 * messages taken out of the mailbox, in one transaction: whatever happens, each message counts once.
 */
export async function turn(
  db: Db,
  jobs: JobsOf,
  dependencies: EvaluationDependencies,
  { tenant, lanes, after, messages: most }: Reach,
): Promise<Turn | undefined> {
  const now = dependencies.clock.now()
  const partitions = await mailbox.holdPartitions(db, { tenant, lanes }, after, now)
  const partition = partitions.at(-1)
  if (partition === undefined) return undefined
  const { segments, isAll } = await mailbox.oldest(db, tenant, partitions, most)
  const messages = segments.flatMap(placed)
  // Timers must not overtake messages that came before they ran out and still wait.
  const until = isAll ? now.getTime() : (messages.at(-1)?.at ?? 0)
  const due = await instances.holdDue(db, tenant, partitions, new Date(until), timersAtOnce)
  const { todo, orphans } = await collect(db, dependencies.subjects, messages, due)
  const done = todo.map((one) => ({
    ...one,
    ...work(one.subject.rules, one.instance?.state, one.key, one.messages, until),
  }))
  await instances.write(db, done.flatMap(rowOf), now)
  await instances.remove(db, orphans)
  const fed = await record(db, jobs, dependencies, done)
  await mailbox.takeOut(db, segments)
  return { partition, fed }
}

const placed = ({ id, body }: mailbox.StoredSegment): LocatedMessage[] =>
  decodeEntries(body).map((entry, position) => ({ ...entry, source: { segment: id, position } }))

function rowOf({ subject, key, instance, state, dueAt }: Todo & Worked): instances.WrittenInstance[] {
  if (state === undefined) return []
  const { tenant, generation, id, rules } = subject
  const partition = partitionOf(id, key)
  return [{ tenant, generation, key, partition, stateName: rules.stateName(state), state, dueAt, row: instance?.row }]
}
