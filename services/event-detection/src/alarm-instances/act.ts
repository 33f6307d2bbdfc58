import type { AnyJob, Context } from '@icosa/kernel'
import type { CustomerAction } from '../alarms/types.ts'
import { type InstanceOutcome, type RecordDependencies, record } from '../evaluation/record.ts'
import type { AlarmSubject } from '../evaluation/subjects.ts'
import { type Addressed, lockAddressed } from '../instances/addressed.ts'
import * as instances from '../instances/store.ts'
import { partitionOf } from '../mailbox/partition.ts'
import { type Evaluation, requestEvaluations } from '../mailbox/wake.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { missingEntry } from '../shapes/batch.ts'
import type { AlarmActionError } from './contract.ts'

/** A user action on an alarm. */
export interface ActionRequest {
  readonly requestId: string
  readonly alarmModelName: string
  readonly keyValue: string | undefined
  readonly action: CustomerAction
}

export interface AlarmDependencies extends Pick<RecordDependencies, 'send'> {
  readonly evaluate: AnyJob<Evaluation>
}

/** Performs the actions in order. Returns an error for each missing alarm. */
export async function act(
  { db, caller, clock, jobs, runtime: { subjects, catalogs } }: Context<ServiceRuntime>,
  { send, evaluate }: AlarmDependencies,
  requests: readonly ActionRequest[],
): Promise<AlarmActionError[]> {
  const addresses = requests.map(addressOf)
  const find = await lockAddressed<AlarmSubject>(db, subjects, caller.tenant, 'alarm', addresses)
  const now = clock.now()
  const errors: AlarmActionError[] = []
  const rows = new Map<string, instances.InstanceUpdate>()
  const outcomes: InstanceOutcome[] = []
  for (const request of requests) {
    const alarm = find(addressOf(request))
    if (alarm) {
      const state = rows.get(alarm.instance.row)?.state ?? alarm.instance.state
      const { row, outcome } = actOn(alarm, state, request, now)
      rows.set(row.row, row)
      outcomes.push(outcome)
    } else {
      const { requestId, keyValue, alarmModelName } = request
      errors.push({ requestId, ...missingEntry('alarm', keyValue, alarmModelName) })
    }
  }
  await instances.write(db, [...rows.values()], now)
  const lanes = await record(db, jobs, { send, catalogs }, outcomes)
  await requestEvaluations(jobs, evaluate, lanes)
  return errors
}

const addressOf = ({ alarmModelName, keyValue }: ActionRequest) => ({ modelName: alarmModelName, keyValue })

function actOn(
  { subject, instance }: Addressed<AlarmSubject>,
  previous: unknown,
  { action, requestId, keyValue }: ActionRequest,
  now: Date,
) {
  const { tenant, generation, key, row } = instance
  const { rules } = subject
  const at = now.getTime()
  const { state, ...step } = rules.act(previous, { action, requestId, at, ...(keyValue !== undefined && { keyValue }) })
  const changed = { stateName: rules.stateName(state), state, dueAt: rules.dueAt(state) }
  return {
    row: { tenant, generation, key, partition: partitionOf(subject.id, key), row, ...changed },
    outcome: { subject, key, results: [{ at, depth: 0, step }] },
  }
}
