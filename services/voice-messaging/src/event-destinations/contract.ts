import { named, oneOf, type Static, Type } from '@icosa/contract'
import { api, name, setsPath } from '../configuration-sets/contract.ts'

export const eventTypes = [
  'INITIATED_CALL',
  'RINGING',
  'ANSWERED',
  'COMPLETED_CALL',
  'BUSY',
  'FAILED',
  'NO_ANSWER',
] as const
export type EventType = (typeof eventTypes)[number]

const arn = Type.String({ pattern: '^arn:[^\\s\\u0000-\\u001f]+$', minLength: 1, maxLength: 1_600 })

const definition = {
  CloudWatchLogsDestination: Type.Optional(
    named('CloudWatchLogsDestination', { IamRoleArn: Type.Optional(arn), LogGroupArn: Type.Optional(arn) }),
  ),
  Enabled: Type.Optional(Type.Boolean()),
  KinesisFirehoseDestination: Type.Optional(
    named('KinesisFirehoseDestination', { DeliveryStreamArn: Type.Optional(arn), IamRoleArn: Type.Optional(arn) }),
  ),
  MatchingEventTypes: Type.Optional(Type.Array(oneOf(...eventTypes), { maxItems: 100 })),
  SnsDestination: Type.Optional(named('SnsDestination', { TopicArn: Type.Optional(arn) })),
}

const EventDestinationDefinition = named('EventDestinationDefinition', definition)
export interface EventDestinationDefinition extends Static<typeof EventDestinationDefinition> {}

const EventDestination = named('EventDestination', { Name: Type.Optional(Type.String()), ...definition })
export interface EventDestination extends Static<typeof EventDestination> {}

const destinationsPath = `${setsPath}/{ConfigurationSetName}/event-destinations` as const
const destinationPath = `${destinationsPath}/{EventDestinationName}` as const

export const eventDestinations = {
  CreateConfigurationSetEventDestination: api.post(destinationsPath, {
    summary: 'Add an event destination to a configuration set: a log, a stream or a topic.',
    body: named('CreateConfigurationSetEventDestinationRequest', {
      EventDestination: Type.Optional(EventDestinationDefinition),
      EventDestinationName: Type.Optional(name),
    }),
    replies: { 200: named('CreateConfigurationSetEventDestinationResponse', {}) },
  }),
  GetConfigurationSetEventDestinations: api.get(destinationsPath, {
    summary: 'Read the event destinations of a configuration set.',
    replies: {
      200: named('GetConfigurationSetEventDestinationsResponse', { EventDestinations: Type.Array(EventDestination) }),
    },
  }),
  UpdateConfigurationSetEventDestination: api.put(destinationPath, {
    summary: 'Replace an event destination. Undelivered events are sent to the new one.',
    body: named('UpdateConfigurationSetEventDestinationRequest', {
      EventDestination: Type.Optional(EventDestinationDefinition),
    }),
    replies: { 200: named('UpdateConfigurationSetEventDestinationResponse', {}) },
  }),
  DeleteConfigurationSetEventDestination: api.delete(destinationPath, {
    summary: 'Delete an event destination and its undelivered events.',
    replies: { 200: named('DeleteConfigurationSetEventDestinationResponse', {}) },
  }),
}
