import type { deliveryKinds } from '../models/actions/contract.ts'
import { type DeliveryFields, deliveryOf, looksLikeExpression, meaningOf } from '../models/actions/fields.ts'
import type { AlarmModelDefinition } from '../models/alarm-models/contract.ts'
import type { DetectorModelDefinition } from '../models/contract.ts'
import { type Finding, finding } from '../models/findings.ts'
import { actionsOf, eventsOf } from '../models/located.ts'
import type { EventDetectionSettings } from '../settings.ts'
import { destinationOf } from './target.ts'

/** What a model sends to, as far as no address is configured for it. */
export interface Unconfigured {
  /** Such as `sns:alerts`, or `sns:*` where messages decide the name. */
  readonly target: string
  readonly path: string
}

type Kind = (typeof deliveryKinds)[number]
type Sent = Readonly<{ kind: Kind; fields: DeliveryFields; path: string }>

export function ofDetectorModel(definition: DetectorModelDefinition, settings: EventDetectionSettings) {
  return among(
    actionsOf(eventsOf(definition)).flatMap(({ action, path }) => {
      const delivery = deliveryOf(action)
      return delivery ? [{ ...delivery, path: `${path}.${delivery.kind}` }] : []
    }),
    settings,
  )
}

export function ofAlarmModel(model: AlarmModelDefinition, settings: EventDetectionSettings) {
  const { alarmEventActions, alarmNotification } = model
  const actions = (alarmEventActions?.alarmActions ?? []).flatMap((action, index) => {
    const delivery = deliveryOf(action)
    return delivery ? [{ ...delivery, path: `alarmEventActions.alarmActions[${index}].${delivery.kind}` }] : []
  })
  const notifications = (alarmNotification?.notificationActions ?? []).flatMap(({ action: { lambdaAction } }, index) =>
    lambdaAction
      ? [{ kind: 'lambda' as const, fields: lambdaAction, path: `alarmNotification.notificationActions[${index}]` }]
      : [],
  )
  return among([...actions, ...notifications], settings)
}

function among(deliveries: readonly Sent[], settings: EventDetectionSettings): readonly Unconfigured[] {
  return deliveries.flatMap(({ kind, fields, path }) => {
    if (kind === 'iotEvents') return [] // goes to an input, not to an address
    const target = settledFields(kind, fields)
    if (target === undefined) {
      const hasAny = Object.keys(settings.targets).some((one) => one.startsWith(`${kind}:`))
      return hasAny ? [] : [{ target: `${kind}:*`, path }]
    }
    const { name, address } = destinationOf({ action: kind, target }, settings)
    return address === undefined ? [{ target: `${kind}:${name}`, path }] : []
  })
}

/** A text in quotes and nothing else. */
const quoted = /^'([^'\\$]*)'$|^"([^"\\$]*)"$/

/** Fields that are texts, as they will be; undefined if one that names the target is only known when a message is there. */
function settledFields(kind: Kind, { payload: _, ...fields }: DeliveryFields): Record<string, string> | undefined {
  const settled: Record<string, string> = {}
  for (const [field, text] of Object.entries(fields)) {
    if (typeof text !== 'string') continue
    const meaning = meaningOf(kind, field)
    const isExpression = meaning === 'expression' || (meaning === 'either' && looksLikeExpression(text))
    const [, single, double] = quoted.exec(text) ?? []
    const value = isExpression ? (single ?? double) : text
    if (value !== undefined) settled[field] = value
    else if (naming.has(field)) return undefined
  }
  return settled
}

const naming: ReadonlySet<string> = new Set([
  ...['targetArn', 'functionArn', 'queueUrl', 'mqttTopic', 'deliveryStreamName', 'tableName', 'propertyAlias'],
  'assetId',
])

/** The header of a reply that made a model: it is in force, but some of what it sends will go nowhere. */
export function unconfiguredHeaders(unconfigured: readonly Unconfigured[]): { headers?: Record<string, string> } {
  const names = [...new Set(unconfigured.map(({ target }) => encodeURI(target)))]
  return names.length === 0 ? {} : { headers: { 'icosa-unconfigured-targets': names.join(', ') } }
}

export const warnings = (unconfigured: readonly Unconfigured[]): readonly Finding[] =>
  unconfigured.map(({ target, path }) =>
    finding(
      'referenced-resource',
      'WARNING',
      `Nothing is configured for '${target}': what is sent there will not be delivered.`,
      path,
    ),
  )
