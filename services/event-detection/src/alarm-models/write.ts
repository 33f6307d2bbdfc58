import { compileAlarm } from '../alarms/compile.ts'
import { createModel, type Kind, updateModel, type WriteContext } from '../catalog/write-model.ts'
import { checkAlarmModel } from '../models/alarm-models/check.ts'
import type { AlarmModelDefinition } from '../models/alarm-models/contract.ts'
import type { CreateAlarmModelRequest, UpdateAlarmModelRequest } from './contract.ts'

const alarmModel: Kind<AlarmModelDefinition> = {
  kind: 'alarm',
  at: 'body',
  check: checkAlarmModel,
  inputsOf: (definition) => compileAlarm({ ...definition, alarmModelName: '', alarmModelVersion: '' }).inputs,
}

export const createAlarmModel = (writeContext: WriteContext, body: CreateAlarmModelRequest) =>
  createModel(writeContext, alarmModel, {
    name: body.alarmModelName,
    key: body.key,
    tags: body.tags,
    ...versionOf(body),
  })

export const updateAlarmModel = (writeContext: WriteContext, name: string, body: UpdateAlarmModelRequest) =>
  updateModel(writeContext, alarmModel, name, versionOf(body))

function versionOf(body: UpdateAlarmModelRequest) {
  const { alarmModelDescription: description, roleArn } = body
  const { severity, alarmRule, alarmNotification, alarmEventActions, alarmCapabilities } = body
  const definition: AlarmModelDefinition = {
    alarmRule,
    ...(severity !== undefined && { severity }),
    ...(alarmNotification && { alarmNotification }),
    ...(alarmEventActions && { alarmEventActions }),
    ...(alarmCapabilities && { alarmCapabilities }),
  }
  return { description, roleArn, definition }
}
