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

/** Inputs that models read and that are not in `existing`, with the attributes that they read. */
export function missingInputs(
  existing: readonly CreateInputRequest[],
  models: readonly AnyModel[],
): CreateInputRequest[] {
  const attributes = new Map<string, Set<string>>()
  for (const model of models) {
    for (const [input, paths] of readsOf(model) ?? []) {
      const names = attributes.get(input) ?? new Set(model.key === undefined ? [] : [model.key])
      for (const { path } of paths) names.add(attributeOf(path))
      attributes.set(input, names)
    }
  }
  for (const { inputName } of existing) attributes.delete(inputName)
  return [...attributes].map(([inputName, paths]) => ({
    inputName,
    inputDefinition: { attributes: [...paths].map((jsonPath) => ({ jsonPath })) },
  }))
}

/** Undefined for an invalid model: creating it reports why. */
function readsOf(model: AnyModel): Reads | undefined {
  if ('alarmRule' in model) {
    if (refusals(checkAlarmModel(model), '').length > 0) return undefined
    return compileAlarm({ ...model, alarmModelVersion: '1' }).reads
  }
  if (refusals(checkDetectorModel(model.detectorModelDefinition), '').length > 0) return undefined
  return compile({ ...model, detectorModelVersion: '1' }).reads
}

/** Stops at the first array index: attributes have none. */
function attributeOf(path: readonly (string | number)[]): string {
  const end = path.findIndex((segment) => typeof segment === 'number')
  const names = path.slice(0, end === -1 ? path.length : end).map(String)
  return names.map((name) => (/^[\w-]+$/.test(name) ? name : `\`${name}\``)).join('.')
}
