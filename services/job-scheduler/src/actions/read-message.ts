import { invalid } from '@icosa/kernel'
import { notSupported } from '@icosa/module/not-supported'
import { canonical } from '../spelling/canonical.ts'
import { unsupported } from '../unsupported.ts'
import type { BusMessage, QueueMessage } from './action.ts'
import type { BusMessageInput, SimpleActionInput } from './contract.ts'

const transports = ['NotSpecified', 'NetMessaging', 'AMQP'] as const
const authentications = ['NotSpecified', 'SharedAccessKey'] as const

export function readQueueMessage(
  { storageAccount = '', queueName = '', message = '', sasToken }: NonNullable<SimpleActionInput['queueMessage']>,
  at: string,
): QueueMessage {
  if (sasToken) notSupported(unsupported.sasToken, `${at}/sasToken`)
  return {
    storageAccount: name(storageAccount, `${at}/storageAccount`),
    queueName: name(queueName, `${at}/queueName`),
    message,
  }
}

export function readBusMessage<Destination extends 'queueName' | 'topicPath'>(
  input: BusMessageInput,
  destination: Destination,
  at: string,
): BusMessage & Record<Destination, string> {
  const { namespace = '', message = '', transportType, authentication, customMessageProperties: custom } = input
  if (custom) checkProperties(custom, `${at}/customMessageProperties`)
  const { type: authenticationType, sasKeyName, sasKey } = authentication ?? {}
  const type = authenticationType && canonical(authentications, authenticationType)
  if (sasKey || type === 'SharedAccessKey') notSupported(unsupported.sharedAccessKey, `A key in ${at}/authentication`)
  const { brokeredMessageProperties: brokered } = input
  const target = { [destination]: name(input[destination] ?? '', `${at}/${destination}`) } as Record<
    Destination,
    string
  > // the only key
  return {
    ...target,
    namespace: name(namespace, `${at}/namespace`),
    message,
    ...(transportType && { transportType: canonical(transports, transportType) }),
    ...(authentication && {
      authentication: {
        ...(type && { type }),
        ...(sasKeyName !== undefined && { sasKeyName }),
      },
    }),
    ...(brokered && { brokeredMessageProperties: brokered }),
    ...(custom && { customMessageProperties: custom }),
  }
}

/** Names become parts of a subject, separated by dots or slashes. */
function name(text: string, at: string): string {
  if (!/^[\w-]+([./][\w-]+)*$/.test(text))
    invalid([{ at, message: 'is required: letters, digits, _ and -, with . or / between them' }])
  return text
}

/** Properties are sent as headers. */
function checkProperties(properties: Readonly<Record<string, string>>, at: string): void {
  for (const [key, value] of Object.entries(properties)) {
    if (!/^[\w-]{1,100}$/.test(key)) invalid([{ at, message: 'must have names of letters, digits, _ and -' }])
    if (/[\r\n]/.test(value)) invalid([{ at: `${at}/${key}`, message: 'must be a single line' }])
  }
}
