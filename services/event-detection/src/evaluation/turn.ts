import type { Clock, Db, JobsOf } from '@icosa/kernel'
import * as instances from '../instances/store.ts'
import { partitionOf } from '../mailbox/partition.ts'
import { decodeEntries } from '../mailbox/segment.ts'
import * as mailbox from '../mailbox/store.ts'
import { collect, type PendingInstance } from './collect.ts'
import { type RecordDependencies, record } from './record.ts'
import type { Subjects } from './subjects.ts'
import { evaluateInstance, type InstanceResult, type LocatedMessage } from './work.ts'

export interface EvaluationDependencies extends RecordDependencies {
  readonly clock: Clock
  readonly subjects: Subjects
}

export interface TurnOptions {
  readonly tenant: string
  readonly lanes: readonly number[]
  /** Last partition of the previous turn. */
  readonly after: number
  /** Approximate maximum. */
  readonly messages: number
}

export interface Turn {
  /** Last partition. */
  readonly partition: number
  /** Lanes that got messages. */
  readonly lanes: readonly mailbox.TenantLane[]
}

const timersPerTurn = 500

/**
 * Evaluates messages and timers of some of a tenant's partitions. Writes states, transitions, new messages and deliveries, and
 * deletes the messages, in one transaction, so that each message counts exactly once.
 */
export async function turn(
  db: Db,
  jobs: JobsOf,
  dependencies: EvaluationDependencies,
  { tenant, lanes, after, messages: maxMessages }: TurnOptions,
): Promise<Turn | undefined> {
  const now = dependencies.clock.now()
  const partitions = await mailbox.lockPartitions(db, { tenant, lanes }, after, now)
  const partition = partitions.at(-1)
  if (partition === undefined) return undefined
  const { segments, isAll } = await mailbox.oldest(db, tenant, partitions, maxMessages)
  const messages = segments.flatMap(locatedMessages)
  // Timers must not overtake earlier messages that are still queued.
  const until = isAll ? now.getTime() : (messages.at(-1)?.at ?? 0)
  const due = await instances.lockDue(db, tenant, partitions, new Date(until), timersPerTurn)
  const { pending, orphans } = await collect(db, dependencies.subjects, messages, due)
  const outcomes = pending.map((entry) => ({
    ...entry,
    ...evaluateInstance(entry.subject.rules, entry.instance?.state, entry.key, entry.messages, until),
  }))
  await instances.write(db, outcomes.flatMap(rowOf), now)
  await instances.remove(db, orphans)
  const targets = await record(db, jobs, dependencies, outcomes)
  await mailbox.removeSegments(db, segments)
  return { partition, lanes: targets }
}

const locatedMessages = ({ id, body }: mailbox.StoredSegment): LocatedMessage[] =>
  decodeEntries(body).map((entry, position) => ({ ...entry, source: { segment: id, position } }))

function rowOf({ subject, key, instance, state, dueAt }: PendingInstance & InstanceResult): instances.InstanceUpdate[] {
  if (state === undefined) return []
  const { tenant, generation, id, rules } = subject
  const partition = partitionOf(id, key)
  return [{ tenant, generation, key, partition, stateName: rules.stateName(state), state, dueAt, row: instance?.row }]
}
