import type { StoredEntry } from '../journal/store.ts'
import { seconds } from '../shapes/time.ts'
import type { DeliveryFailure } from './contract.ts'

/** Journal entry of a failure; that of a publish to an input has no attempts and no id. */
type Content = Pick<DeliveryFailure, 'action' | 'eventName' | 'target' | 'reason' | 'attempts' | 'deliveryId'>

export function toDeliveryFailure({ modelKind, modelName, version, key, at, entry }: StoredEntry): DeliveryFailure {
  const { action, eventName, target, reason, attempts, deliveryId } = entry as unknown as Content
  return {
    modelType: modelKind === 'alarm' ? 'ALARM_MODEL' : 'DETECTOR_MODEL',
    modelName,
    modelVersion: String(version),
    ...(key !== '' && { keyValue: key }),
    action,
    ...(eventName !== undefined && { eventName }),
    target,
    reason,
    ...(attempts !== undefined && { attempts }),
    ...(deliveryId !== undefined && { deliveryId }),
    time: seconds(at),
  }
}
