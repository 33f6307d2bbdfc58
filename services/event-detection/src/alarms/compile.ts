import { type CompiledExpression, reader } from '../engine/compile.ts'
import { type CompiledDelivery, compileDelivery } from '../engine/deliveries.ts'
import { type Reads, readsOf } from '../engine/inputs.ts'
import type { Subject } from '../engine/run.ts'
import { maxConditionLength } from '../expressions/parse.ts'
import { deliveryOf } from '../models/actions/fields.ts'
import type { AlarmModelDefinition, ComparisonOperator, NotificationAction } from '../models/alarm-models/contract.ts'
import type { AlarmStateName } from './types.ts'

export interface AlarmModelSource extends AlarmModelDefinition {
  readonly alarmModelName: string
  readonly alarmModelVersion: string
}

export interface AlarmModel extends Subject {
  readonly severity: number | undefined
  readonly rule: {
    readonly property: CompiledExpression
    readonly operator: ComparisonOperator
    readonly threshold: CompiledExpression
  }
  /** Whether the alarm must be acknowledged before it is NORMAL again. */
  readonly acknowledged: boolean
  readonly initialStateName: AlarmStateName
  readonly deliveries: readonly CompiledDelivery[]
  readonly notifications: readonly NotificationAction[]
  /** Inputs that it reads. */
  readonly inputs: readonly string[]
  readonly reads: Reads
}

/** Throws on a syntax error: `checkAlarmModel` reports all of them first. */
export function compileAlarm(source: AlarmModelSource): AlarmModel {
  const { references, names, read } = reader()
  const rule = source.alarmRule.simpleRule
  if (!rule) throw new Error('An alarm model must have a simpleRule')
  const { initializationConfiguration, acknowledgeFlow } = source.alarmCapabilities ?? {}
  const compiled = {
    property: read(rule.inputProperty, 'alarmRule.simpleRule.inputProperty', maxConditionLength),
    operator: rule.comparisonOperator,
    threshold: read(rule.threshold, 'alarmRule.simpleRule.threshold', maxConditionLength),
  }
  const deliveries = (source.alarmEventActions?.alarmActions ?? []).map((action, index) => {
    const path = `alarmEventActions.alarmActions[${index}]`
    const delivery = deliveryOf(action)
    if (!delivery) throw new Error(`${path}: there is no such action`)
    return compileDelivery(delivery.kind, delivery.fields, `${path}.${delivery.kind}`, read)
  })
  return {
    name: source.alarmModelName,
    version: source.alarmModelVersion,
    severity: source.severity,
    rule: compiled,
    acknowledged: acknowledgeFlow?.enabled ?? false,
    initialStateName: (initializationConfiguration?.disabledOnInitialization ?? true) ? 'DISABLED' : 'NORMAL',
    deliveries,
    notifications: source.alarmNotification?.notificationActions ?? [],
    inputs: [...new Set([...references.map(({ input }) => input), ...names])],
    reads: readsOf(references),
  }
}
