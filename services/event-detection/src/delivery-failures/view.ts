import type { StoredEntry } from '../journal/store.ts'
import { seconds } from '../shapes/time.ts'
import type { DeliveryFailure } from './contract.ts'

/** What the journal says of a failure; one of an action that feeds an input was tried once and has no id. */
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
