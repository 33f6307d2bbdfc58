import type { AnyJob, Context } from '@icosa/kernel'
import type { CustomerAction } from '../alarms/types.ts'
import { type InstanceOutcome, type RecordDependencies, record } from '../evaluation/record.ts'
import type { AlarmSubject } from '../evaluation/subjects.ts'
import { type Addressed, holdAddressed } from '../instances/addressed.ts'
import * as instances from '../instances/store.ts'
import { partitionOf } from '../mailbox/partition.ts'
import { ask, type Evaluation } from '../mailbox/wake.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { notThere } from '../shapes/batch.ts'
import type { AlarmActionError } from './contract.ts'

/** What a person asks for: an action on an alarm. */
export interface ActionRequest {
  readonly requestId: string
  readonly alarmModelName: string
  readonly keyValue: string | undefined
  readonly action: CustomerAction
}

export interface AlarmDependencies extends Pick<RecordDependencies, 'send'> {
  readonly evaluate: AnyJob<Evaluation>
}

/** Carries out the actions whose alarms are there, in their order, and answers an error for each of the others. */
export async function act(
  { db, caller, clock, jobs, runtime: { subjects, catalogs } }: Context<ServiceRuntime>,
  { send, evaluate }: AlarmDependencies,
  requests: readonly ActionRequest[],
): Promise<AlarmActionError[]> {
  const addresses = requests.map(addressOf)
  const find = await holdAddressed<AlarmSubject>(db, subjects, caller.tenant, 'alarm', addresses)
  const now = clock.now()
  const errors: AlarmActionError[] = []
  const rows = new Map<string, instances.WrittenInstance>()
  const outcomes: InstanceOutcome[] = []
  for (const request of requests) {
    const found = find(addressOf(request))
    if (found) {
      const state = rows.get(found.instance.row)?.state ?? found.instance.state
      const done = actOn(found, state, request, now)
      rows.set(done.row.row, done.row)
      outcomes.push(done.outcome)
    } else {
      const { requestId, keyValue, alarmModelName } = request
      errors.push({ requestId, ...notThere('alarm', keyValue, alarmModelName) })
    }
  }
  await instances.write(db, [...rows.values()], now)
  const fed = await record(db, jobs, { send, catalogs }, outcomes)
  await ask(jobs, evaluate, fed)
  return errors
}

const addressOf = ({ alarmModelName, keyValue }: ActionRequest) => ({ modelName: alarmModelName, keyValue })

function actOn(
  { subject, instance }: Addressed<AlarmSubject>,
  before: unknown,
  { action, requestId, keyValue }: ActionRequest,
  now: Date,
) {
  const { tenant, generation, key, row } = instance
  const { rules } = subject
  const at = now.getTime()
  const { state, ...step } = rules.act(before, { action, requestId, at, ...(keyValue !== undefined && { keyValue }) })
  const changed = { stateName: rules.stateName(state), state, dueAt: rules.dueAt(state) }
  return {
    row: { tenant, generation, key, partition: partitionOf(subject.id, key), row, ...changed },
    outcome: { subject, key, happenings: [{ at, depth: 0, step }] },
  }
}
