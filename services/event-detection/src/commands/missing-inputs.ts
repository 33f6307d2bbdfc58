import type { CreateAlarmModelRequest } from '../alarm-models/contract.ts'
import { compileAlarm } from '../alarms/compile.ts'
import type { CreateDetectorModelRequest } from '../detector-models/contract.ts'
import { compile } from '../engine/compile.ts'
import type { Reads } from '../engine/inputs.ts'
import type { CreateInputRequest } from '../inputs/contract.ts'
import { checkAlarmModel } from '../models/alarm-models/check.ts'
import { checkDetectorModel } from '../models/check.ts'
import { refusals } from '../models/findings.ts'

type AnyModel = CreateDetectorModelRequest | CreateAlarmModelRequest

/** Inputs that models read and that are not among these, with the attributes that they read. */
export function missingInputs(known: readonly CreateInputRequest[], models: readonly AnyModel[]): CreateInputRequest[] {
  const attributes = new Map<string, Set<string>>()
  for (const model of models) {
    for (const [input, paths] of readsOf(model) ?? []) {
      const found = attributes.get(input) ?? new Set(model.key === undefined ? [] : [model.key])
      for (const { path } of paths) found.add(attributeOf(path))
      attributes.set(input, found)
    }
  }
  for (const { inputName } of known) attributes.delete(inputName)
  return [...attributes].map(([inputName, paths]) => ({
    inputName,
    inputDefinition: { attributes: [...paths].map((jsonPath) => ({ jsonPath })) },
  }))
}

/** Undefined for a model that cannot be read: creating it says why. */
function readsOf(model: AnyModel): Reads | undefined {
  if ('alarmRule' in model) {
    if (refusals(checkAlarmModel(model), '').length > 0) return undefined
    return compileAlarm({ ...model, alarmModelVersion: '1' }).reads
  }
  if (refusals(checkDetectorModel(model.detectorModelDefinition), '').length > 0) return undefined
  return compile({ ...model, detectorModelVersion: '1' }).reads
}

/** Up to the first element of an array: attributes name no elements. */
function attributeOf(path: readonly (string | number)[]): string {
  const end = path.findIndex((segment) => typeof segment === 'number')
  const names = path.slice(0, end === -1 ? path.length : end).map(String)
  return names.map((name) => (/^[\w-]+$/.test(name) ? name : `\`${name}\``)).join('.')
}
