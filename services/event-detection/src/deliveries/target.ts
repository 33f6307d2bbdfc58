import { parseArn } from '@icosa/dialects/signed/arn'
import type { EventDetectionSettings } from '../settings.ts'
import type { Delivery } from './delivery.ts'

/** Where a delivery goes: what its model called the place, and the address that an operator gave it. */
export interface Destination {
  readonly kind: string
  readonly name: string
  readonly address: string | undefined
}

/** Functions that send an alarm's notifications are called like all others. */
const kindOf = ({ action }: Pick<Delivery, 'action'>) => (action === 'notification' ? 'lambda' : action)

export function destinationOf(
  delivery: Pick<Delivery, 'action' | 'target'>,
  settings: EventDetectionSettings,
): Destination {
  const kind = kindOf(delivery)
  const name = nameOf(delivery.target).toWellFormed() // what a message said may be anything
  const address = settings.targets[`${kind}:${name}`] ?? settings.targets[`${kind}:*`]
  return { kind, name, address: address?.replaceAll('{name}', encodeURIComponent(name)) }
}

/** The last part of an ARN or an address; a topic, table or stream as it is. */
function nameOf(target: Delivery['target']): string {
  const { targetArn, functionArn, queueUrl, mqttTopic, deliveryStreamName, tableName, propertyAlias, assetId } = target
  const [named] = [targetArn, functionArn, queueUrl, mqttTopic, deliveryStreamName, tableName, propertyAlias, assetId]
    .filter((one) => one !== undefined)
    .map(String)
  if (named === undefined) return ''
  if (named === queueUrl) return named.split('/').at(-1) ?? named
  return parseArn(named)?.resource.split(/[:/]/).at(-1) ?? named
}
