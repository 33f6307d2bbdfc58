import { type Context, implement, notFound, ok } from '@icosa/kernel'
import type { AlarmState, AlarmStateName, CustomerAction } from '../alarms/types.ts'
import { findModel } from '../catalog/find-model.ts'
import type { Model } from '../catalog/model-store.ts'
import type { Instance } from '../instances/store.ts'
import * as instances from '../instances/store.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { checkIds } from '../shapes/batch.ts'
import { seconds } from '../shapes/time.ts'
import { type ActionRequest, type AlarmDependencies, act } from './act.ts'
import { type Alarm, type AlarmSummary, alarms } from './contract.ts'

type ActionBody = Omit<ActionRequest, 'action' | 'keyValue'> & { readonly keyValue?: string; readonly note?: string }

export const alarmOperations = (dependencies: AlarmDependencies) => {
  async function actAll<Body extends ActionBody>(
    context: Context<ServiceRuntime>,
    at: string,
    bodies: readonly Body[],
    actionOf: (note: { readonly note?: string }, body: Body) => CustomerAction,
  ) {
    checkIds(
      bodies.map(({ requestId }) => requestId),
      at,
    )
    const requests = bodies.map((body): ActionRequest => {
      const { requestId, alarmModelName, keyValue, note } = body
      return { requestId, alarmModelName, keyValue, action: actionOf(note === undefined ? {} : { note }, body) }
    })
    return ok({ errorEntries: await act(context, dependencies, requests) })
  }

  return implement<typeof alarms, ServiceRuntime>(alarms, {
    BatchAcknowledgeAlarm: ({ body }, context) =>
      actAll(context, 'body/acknowledgeActionRequests', body.acknowledgeActionRequests, (note) => ({
        actionName: 'ACKNOWLEDGE',
        acknowledgeActionConfiguration: note,
      })),

    BatchDisableAlarm: ({ body }, context) =>
      actAll(context, 'body/disableActionRequests', body.disableActionRequests, (note) => ({
        actionName: 'DISABLE',
        disableActionConfiguration: note,
      })),

    BatchEnableAlarm: ({ body }, context) =>
      actAll(context, 'body/enableActionRequests', body.enableActionRequests, (note) => ({
        actionName: 'ENABLE',
        enableActionConfiguration: note,
      })),

    BatchResetAlarm: ({ body }, context) =>
      actAll(context, 'body/resetActionRequests', body.resetActionRequests, (note) => ({
        actionName: 'RESET',
        resetActionConfiguration: note,
      })),

    BatchSnoozeAlarm: ({ body }, context) =>
      actAll(context, 'body/snoozeActionRequests', body.snoozeActionRequests, (note, { snoozeDuration }) => ({
        actionName: 'SNOOZE',
        snoozeActionConfiguration: { ...note, snoozeDuration },
      })),

    async DescribeAlarm({ params, query: { keyValue = '' } }, { db, caller: { tenant }, runtime }) {
      const model = await findModel(db, tenant, 'alarm', params.alarmModelName)
      const instance = await instances.find(db, { tenant, generation: model.generation, key: keyValue })
      if (!instance) notFound(`alarm of ${model.name}`, keyValue)
      const [subject] = await runtime.subjects(db, [model.id])
      const severity = subject?.kind === 'alarm' ? subject.rules.severity : undefined
      return ok({ alarm: toAlarm(model, instance, severity) })
    },

    async ListAlarms({ params, query }, { db, caller: { tenant } }) {
      const model = await findModel(db, tenant, 'alarm', params.alarmModelName)
      const { items, next } = await instances.list(db, model, query)
      return ok({ alarmSummaries: items.map((instance) => toAlarmSummary(model, instance)) }, { next })
    },
  })
}

const toAlarm = (model: Model, instance: Instance, severity: number | undefined): Alarm => ({
  ...common(model, instance),
  alarmState: (instance.state as AlarmState).shown,
  ...(severity !== undefined && { severity }),
})

const toAlarmSummary = (model: Model, instance: Omit<Instance, 'state'>): AlarmSummary => ({
  ...common(model, instance),
  stateName: instance.stateName as AlarmStateName,
})

const common = ({ name, version }: Model, { key, createdAt, updatedAt }: Omit<Instance, 'state'>) => ({
  alarmModelName: name,
  alarmModelVersion: String(version),
  ...(key !== '' && { keyValue: key }),
  creationTime: seconds(createdAt),
  lastUpdateTime: seconds(updatedAt),
})
