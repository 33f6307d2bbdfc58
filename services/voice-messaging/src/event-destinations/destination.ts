import { invalid } from '@icosa/kernel'
import { type EventDestination, type EventDestinationDefinition, type EventType, eventTypes } from './contract.ts'

export type DestinationKind = 'log' | 'stream' | 'topic'

export interface Destination {
  readonly enabled: boolean
  readonly eventTypes: readonly EventType[]
  readonly kind: DestinationKind
  readonly arn: string
  readonly roleArn: string | null
}

const at = 'body/EventDestination'

/** Parses a definition, which names exactly one target. */
export function readDestination(definition: EventDestinationDefinition | undefined): Destination {
  if (!definition) invalid([{ at, message: 'is required' }])
  const { Enabled = true, MatchingEventTypes = eventTypes } = definition
  if (MatchingEventTypes.length === 0)
    invalid([{ at: `${at}/MatchingEventTypes`, message: 'is empty: name an event type, or omit it for all' }])
  const requested = new Set(MatchingEventTypes)
  return { enabled: Enabled, eventTypes: eventTypes.filter((type) => requested.has(type)), ...targetOf(definition) }
}

function targetOf(definition: EventDestinationDefinition): Pick<Destination, 'kind' | 'arn' | 'roleArn'> {
  const { CloudWatchLogsDestination: log, KinesisFirehoseDestination: stream, SnsDestination: topic } = definition
  const [target, ...others] = [
    log && {
      kind: 'log' as const,
      member: 'CloudWatchLogsDestination/LogGroupArn',
      arn: log.LogGroupArn,
      role: log.IamRoleArn,
    },
    stream && {
      kind: 'stream' as const,
      member: 'KinesisFirehoseDestination/DeliveryStreamArn',
      arn: stream.DeliveryStreamArn,
      role: stream.IamRoleArn,
    },
    topic && { kind: 'topic' as const, member: 'SnsDestination/TopicArn', arn: topic.TopicArn, role: undefined },
  ].filter((target) => target !== undefined)
  if (!target || others.length > 0)
    invalid([
      {
        at,
        message: 'must have exactly one of CloudWatchLogsDestination, KinesisFirehoseDestination and SnsDestination',
      },
    ])
  if (target.arn === undefined) invalid([{ at: `${at}/${target.member}`, message: 'is required' }])
  return { kind: target.kind, arn: target.arn, roleArn: target.role ?? null }
}

export function toEventDestination({
  name,
  enabled,
  eventTypes: types,
  kind,
  arn,
  roleArn,
}: Destination & { readonly name: string }): EventDestination {
  const role = roleArn === null ? {} : { IamRoleArn: roleArn }
  return {
    Name: name,
    Enabled: enabled,
    MatchingEventTypes: [...types],
    ...(kind === 'log' && { CloudWatchLogsDestination: { LogGroupArn: arn, ...role } }),
    ...(kind === 'stream' && { KinesisFirehoseDestination: { DeliveryStreamArn: arn, ...role } }),
    ...(kind === 'topic' && { SnsDestination: { TopicArn: arn } }),
  }
}
