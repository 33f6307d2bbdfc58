import type { AlarmState, AlarmStateName } from '../alarms/types.ts'
import type { Model } from '../catalog/model-store.ts'
import type { Instance } from '../instances/store.ts'
import { seconds } from '../shapes/time.ts'
import type { Alarm, AlarmSummary } from './contract.ts'

export const toAlarm = (model: Model, instance: Instance, severity: number | undefined): Alarm => ({
  ...common(model, instance),
  alarmState: (instance.state as AlarmState).shown,
  ...(severity !== undefined && { severity }),
})

export const toAlarmSummary = (model: Model, instance: Omit<Instance, 'state'>): AlarmSummary => ({
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
