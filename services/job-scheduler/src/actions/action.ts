import type { BusMessageInput } from './contract.ts'

export const actionTypes = ['Http', 'Https', 'StorageQueue', 'ServiceBusQueue', 'ServiceBusTopic'] as const

export interface BasicAuthentication {
  readonly type: 'Basic'
  readonly username: string
  /** Stored separately, sealed. */
  readonly password?: string
}

export interface CertificateAuthentication {
  readonly type: 'ClientCertificate'
  /** In base64. Stored separately with its password, sealed. */
  readonly pfx?: string
  readonly password?: string
  /** Read from the certificate, whatever the caller sends. */
  readonly certificateThumbprint?: string
  readonly certificateSubjectName?: string
  readonly certificateExpirationDate?: string
}

export interface OAuthAuthentication {
  readonly type: 'ActiveDirectoryOAuth'
  readonly tenant: string
  readonly clientId: string
  readonly audience: string
  /** Stored separately, sealed. */
  readonly secret?: string
}

export type Authentication = BasicAuthentication | CertificateAuthentication | OAuthAuthentication

export const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

export interface HttpRequest {
  readonly uri: string
  readonly method: (typeof methods)[number]
  readonly headers?: Record<string, string>
  readonly body?: string
  readonly authentication?: Authentication
}

export interface QueueMessage {
  readonly storageAccount: string
  readonly queueName: string
  readonly message: string
}

export interface BusMessage {
  readonly namespace: string
  readonly message: string
  readonly transportType?: 'NotSpecified' | 'NetMessaging' | 'AMQP'
  readonly authentication?: { readonly type?: 'NotSpecified' | 'SharedAccessKey'; readonly sasKeyName?: string }
  readonly brokeredMessageProperties?: NonNullable<BusMessageInput['brokeredMessageProperties']>
  readonly customMessageProperties?: Record<string, string>
}

export interface RetryPolicy {
  readonly retryType: 'None' | 'Fixed'
  readonly retryInterval?: string
  readonly retryCount?: number
}

/** A request, or a message to a broker. */
export type SimpleAction = (HttpAction | MessageAction) & { readonly retryPolicy?: RetryPolicy }

export interface HttpAction {
  readonly type: 'Http' | 'Https'
  readonly request: HttpRequest
}

export type MessageAction =
  | { readonly type: 'StorageQueue'; readonly queueMessage: QueueMessage }
  | { readonly type: 'ServiceBusQueue'; readonly serviceBusQueueMessage: BusMessage & { readonly queueName: string } }
  | { readonly type: 'ServiceBusTopic'; readonly serviceBusTopicMessage: BusMessage & { readonly topicPath: string } }

export type Action = SimpleAction & { readonly errorAction?: SimpleAction }
