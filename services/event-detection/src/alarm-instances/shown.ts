import type { AlarmState, AlarmStateName } from '../alarms/types.ts'
import type { Model } from '../catalog/model-store.ts'
import type { Instance } from '../instances/store.ts'
import { seconds } from '../shapes/time.ts'
import type { Alarm, AlarmSummary } from './contract.ts'

export const shownAlarm = (model: Model, instance: Instance, severity: number | undefined): Alarm => ({
  ...shown(model, instance),
  alarmState: (instance.state as AlarmState).shown,
  ...(severity !== undefined && { severity }),
})

export const shownSummary = (model: Model, instance: Omit<Instance, 'state'>): AlarmSummary => ({
  ...shown(model, instance),
  stateName: instance.stateName as AlarmStateName,
})

const shown = ({ name, version }: Model, { key, createdAt, updatedAt }: Omit<Instance, 'state'>) => ({
  alarmModelName: name,
  alarmModelVersion: String(version),
  ...(key !== '' && { keyValue: key }),
  creationTime: seconds(createdAt),
  lastUpdateTime: seconds(updatedAt),
})
