import type { Gaps } from '@icosa/module'

// Keys that are not checked would protect nothing.
const brokerHasNoKey = "Messages go to the operator's broker, which has no such keys. Omit it."

export const unsupported = {
  sasToken: { name: '`sasToken` of a `queueMessage`', answer: 501, instead: brokerHasNoKey },
  sharedAccessKey: {
    name: '`SharedAccessKey` or a `sasKey` in the `authentication` of a message',
    answer: 501,
    instead: brokerHasNoKey,
  },
  stateDeleted: { name: '`state` `Deleted` of a collection', answer: 400, instead: 'Send DELETE.' },
  oldCertificates: {
    name: 'a `pfx` with old ciphers, such as RC2',
    answer: 400,
    instead: 'Export the certificate again, with modern ones.',
  },
  transportType: {
    name: '`transportType`',
    answer: 'no effect',
    instead: 'It is stored and shown. The broker decides.',
  },
  sasKeyName: { name: '`sasKeyName`', answer: 'no effect', instead: 'It is stored and shown.' },
  brokeredMessageProperties: {
    name: '`brokeredMessageProperties`',
    answer: 'differs',
    instead:
      'They are sent as the header `BrokerProperties`, in JSON: `timeToLive`, `scheduledEnqueueTimeUtc`, `sessionId` and the others are for the receiver, and the broker does not act on them.',
  },
  queues: {
    name: '`StorageQueue`, `ServiceBusQueue` and `ServiceBusTopic`',
    answer: 'differs',
    instead: "Messages go to the operator's NATS or AMQP broker, whatever account or namespace is named.",
  },
  activeDirectory: {
    name: '`ActiveDirectoryOAuth`',
    answer: 'differs',
    instead: "Tokens come from identity-connect of the same platform, or from the operator's token endpoint.",
  },
  privateAddresses: {
    name: 'requests to private addresses',
    answer: 'differs',
    instead: 'They end as `Failed`, unless the operator allows the address.',
  },
  suspended: { name: '`state` `Suspended` of a collection', answer: 'differs', instead: 'It is like `Disabled`.' },
} as const satisfies Gaps
