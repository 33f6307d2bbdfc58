import { named, type Static, Type } from '@icosa/contract'
import { DateTime } from '../recurrence/contract.ts'
import { spelled } from '../spelling/contract.ts'

const text = (maxLength: number) => Type.Optional(Type.String({ maxLength }))
const secret = (what: string) => Type.Optional(Type.String({ maxLength: 20_000, description: `${what} Never shown.` }))

const key = Type.Optional(
  Type.String({ maxLength: 20_000, description: "Refused: the operator's broker has no such keys." }),
)

export const actionType = spelled('Http', 'Https', 'StorageQueue', 'ServiceBusQueue', 'ServiceBusTopic')
const Duration = Type.String({ maxLength: 50, description: 'ISO 8601, such as PT30S.' })

const HttpAuthentication = named('HttpAuthentication', {
  type: spelled('NotSpecified', 'ClientCertificate', 'ActiveDirectoryOAuth', 'Basic'),
  username: text(256),
  password: secret('Of Basic, or of the certificate.'),
  pfx: secret('A certificate with its key, in base64.'),
  certificateThumbprint: text(200),
  certificateSubjectName: text(1_000),
  certificateExpirationDate: Type.Optional(DateTime),
  tenant: text(256),
  clientId: text(256),
  audience: text(2_000),
  secret: secret('Of the application.'),
})
export interface AuthenticationInput extends Static<typeof HttpAuthentication> {}

const HttpRequest = named('HttpRequest', {
  uri: text(2_048),
  method: text(20),
  headers: Type.Optional(Type.Record(Type.String({ maxLength: 8_192 }))),
  body: text(65_536),
  authentication: Type.Optional(HttpAuthentication),
})
export interface RequestInput extends Static<typeof HttpRequest> {}

const StorageQueueMessage = named('StorageQueueMessage', {
  storageAccount: text(100),
  queueName: text(100),
  sasToken: key,
  message: text(65_536),
})

const busMessage = {
  namespace: text(200),
  transportType: Type.Optional(spelled('NotSpecified', 'NetMessaging', 'AMQP')),
  message: text(65_536),
  authentication: Type.Optional(
    named('ServiceBusAuthentication', {
      type: Type.Optional(spelled('NotSpecified', 'SharedAccessKey')),
      sasKeyName: text(256),
      sasKey: key,
    }),
  ),
  brokeredMessageProperties: Type.Optional(
    named('ServiceBusBrokeredMessageProperties', {
      contentType: text(256),
      correlationId: text(256),
      forcePersistence: Type.Optional(Type.Boolean()),
      label: text(256),
      messageId: text(256),
      partitionKey: text(256),
      replyTo: text(256),
      replyToSessionId: text(256),
      scheduledEnqueueTimeUtc: Type.Optional(DateTime),
      sessionId: text(256),
      timeToLive: Type.Optional(Duration),
      to: text(256),
      viaPartitionKey: text(256),
    }),
  ),
  customMessageProperties: Type.Optional(Type.Record(Type.String({ maxLength: 4_096 }))),
}
const ServiceBusQueueMessage = named('ServiceBusQueueMessage', { ...busMessage, queueName: text(260) })
const ServiceBusTopicMessage = named('ServiceBusTopicMessage', { ...busMessage, topicPath: text(260) })
export interface BusMessageInput extends Static<typeof ServiceBusQueueMessage>, Static<typeof ServiceBusTopicMessage> {}

const RetryPolicy = named('RetryPolicy', {
  retryType: Type.Optional(spelled('None', 'Fixed')),
  retryInterval: Type.Optional(Duration),
  retryCount: Type.Optional(Type.Integer({ minimum: 0, maximum: 20 })),
})
export interface RetryPolicyInput extends Static<typeof RetryPolicy> {}

const simpleAction = {
  type: Type.Optional(actionType),
  request: Type.Optional(HttpRequest),
  queueMessage: Type.Optional(StorageQueueMessage),
  serviceBusQueueMessage: Type.Optional(ServiceBusQueueMessage),
  serviceBusTopicMessage: Type.Optional(ServiceBusTopicMessage),
  retryPolicy: Type.Optional(RetryPolicy),
}
const JobErrorAction = named('JobErrorAction', simpleAction)
export interface SimpleActionInput extends Static<typeof JobErrorAction> {}

export const JobAction = named('JobAction', { ...simpleAction, errorAction: Type.Optional(JobErrorAction) })
export interface ActionInput extends Static<typeof JobAction> {}
