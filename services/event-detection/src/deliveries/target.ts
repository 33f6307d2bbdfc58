import { parseArn } from '@icosa/dialects/signed/arn'
import type { EventDetectionSettings } from '../settings.ts'
import type { Delivery } from './delivery.ts'

/** Target of a delivery, with the address configured by the operator. */
export interface Destination {
  readonly kind: string
  readonly name: string
  readonly address: string | undefined
}

/** Notifications of alarms are sent by functions. */
const kindOf = ({ action }: Pick<Delivery, 'action'>) => (action === 'notification' ? 'lambda' : action)

export function destinationOf(
  delivery: Pick<Delivery, 'action' | 'target'>,
  settings: EventDetectionSettings,
): Destination {
  const kind = kindOf(delivery)
  const name = nameOf(delivery.target).toWellFormed() // values of messages may be anything
  const address = settings.targets[`${kind}:${name}`] ?? settings.targets[`${kind}:*`]
  return { kind, name, address: address?.replaceAll('{name}', encodeURIComponent(name)) }
}

/** The last part of an ARN or a URL; topics, tables and streams unchanged. */
function nameOf(target: Delivery['target']): string {
  const { targetArn, functionArn, queueUrl, mqttTopic, deliveryStreamName, tableName, propertyAlias, assetId } = target
  const [id] = [targetArn, functionArn, queueUrl, mqttTopic, deliveryStreamName, tableName, propertyAlias, assetId]
    .filter((field) => field !== undefined)
    .map(String)
  if (id === undefined) return ''
  if (id === queueUrl) return id.split('/').at(-1) ?? id
  return parseArn(id)?.resource.split(/[:/]/).at(-1) ?? id
}
