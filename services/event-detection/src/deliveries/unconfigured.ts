import type { deliveryKinds } from '../models/actions/contract.ts'
import { type DeliveryFields, deliveryOf, looksLikeExpression, meaningOf } from '../models/actions/fields.ts'
import type { AlarmModelDefinition } from '../models/alarm-models/contract.ts'
import type { DetectorModelDefinition } from '../models/contract.ts'
import { type Finding, finding } from '../models/findings.ts'
import { actionsOf, eventsOf } from '../models/located.ts'
import type { EventDetectionSettings } from '../settings.ts'
import { destinationOf } from './target.ts'

/** A target of a model without an address. */
export interface Unconfigured {
  /** Such as `sns:alerts`, or `sns:*` if the name is computed. */
  readonly target: string
  readonly path: string
}

type Kind = (typeof deliveryKinds)[number]
type LocatedDelivery = Readonly<{ kind: Kind; fields: DeliveryFields; path: string }>

export function ofDetectorModel(definition: DetectorModelDefinition, settings: EventDetectionSettings) {
  return unconfiguredIn(
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
  return unconfiguredIn([...actions, ...notifications], settings)
}

function unconfiguredIn(
  deliveries: readonly LocatedDelivery[],
  settings: EventDetectionSettings,
): readonly Unconfigured[] {
  return deliveries.flatMap(({ kind, fields, path }) => {
    if (kind === 'iotEvents') return [] // targets an input, not an address
    const target = literalFields(kind, fields)
    if (target === undefined) {
      const hasAny = Object.keys(settings.targets).some((configured) => configured.startsWith(`${kind}:`))
      return hasAny ? [] : [{ target: `${kind}:*`, path }]
    }
    const { name, address } = destinationOf({ action: kind, target }, settings)
    return address === undefined ? [{ target: `${kind}:${name}`, path }] : []
  })
}

/** A single string literal. */
const quoted = /^'([^'\\$]*)'$|^"([^"\\$]*)"$/

/** Values of literal fields; undefined if the name of the target is computed at run time. */
function literalFields(kind: Kind, { payload: _, ...fields }: DeliveryFields): Record<string, string> | undefined {
  const literals: Record<string, string> = {}
  for (const [field, text] of Object.entries(fields)) {
    if (typeof text !== 'string') continue
    const meaning = meaningOf(kind, field)
    const isExpression = meaning === 'expression' || (meaning === 'either' && looksLikeExpression(text))
    const [, single, double] = quoted.exec(text) ?? []
    const value = isExpression ? (single ?? double) : text
    if (value !== undefined) literals[field] = value
    else if (nameFields.has(field)) return undefined
  }
  return literals
}

const nameFields: ReadonlySet<string> = new Set([
  ...['targetArn', 'functionArn', 'queueUrl', 'mqttTopic', 'deliveryStreamName', 'tableName', 'propertyAlias'],
  'assetId',
])

/** Response header for an active model with targets that have no address. */
export function unconfiguredHeaders(unconfigured: readonly Unconfigured[]): { headers?: Record<string, string> } {
  const names = [...new Set(unconfigured.map(({ target }) => encodeURI(target)))]
  return names.length === 0 ? {} : { headers: { 'icosa-unconfigured-targets': names.join(', ') } }
}

export const warnings = (unconfigured: readonly Unconfigured[]): readonly Finding[] =>
  unconfigured.map(({ target, path }) =>
    finding(
      'referenced-resource',
      'WARNING',
      `No address is configured for '${target}': deliveries to it will fail.`,
      path,
    ),
  )
