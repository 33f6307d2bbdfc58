import type { Model } from '../catalog/model-store.ts'
import { toStateView } from '../engine/state.ts'
import type { DetectorState } from '../engine/types.ts'
import type { Instance } from '../instances/store.ts'
import { seconds } from '../shapes/time.ts'
import type { Detector, DetectorSummary } from './contract.ts'

export function toDetector(model: Model, instance: Instance): Detector {
  const { stateName, variables, timers } = toStateView(instance.state as DetectorState)
  return { ...common(model, instance), state: { stateName, variables: [...variables], timers: [...timers] } }
}

export const toDetectorSummary = (model: Model, instance: Omit<Instance, 'state'>): DetectorSummary => ({
  ...common(model, instance),
  state: { stateName: instance.stateName },
})

const common = ({ name, version }: Model, { key, createdAt, updatedAt }: Omit<Instance, 'state'>) => ({
  detectorModelName: name,
  ...(key !== '' && { keyValue: key }),
  detectorModelVersion: String(version),
  creationTime: seconds(createdAt),
  lastUpdateTime: seconds(updatedAt),
})
