import { maxConditionLength, maxExpressionLength, type Parsed, parse } from '../expressions/parse.ts'
import { noReferences, type References, referencesOf } from '../expressions/references.ts'
import type { Node } from '../expressions/syntax.ts'
import type { Action, DeliveryKind } from './actions/contract.ts'
import { deliveryOf, looksLikeExpression, meaningOf } from './actions/fields.ts'
import type { DetectorModelDefinition, Event, State, TransitionEvent } from './contract.ts'

/** An event with its path. */
export interface LocatedEvent {
  readonly state: State
  readonly phase: 'onInput' | 'onEnter' | 'onExit'
  readonly event: Event & Partial<Pick<TransitionEvent, 'nextState'>>
  readonly path: string
  /** Missing if unconditional. */
  readonly condition?: LocatedExpression
}

/** Purpose of an expression, which determines its allowed kinds. */
export type Use = 'condition' | 'value' | 'duration' | 'text' | 'json' | 'boolean' | 'integer' | 'double'

/** An expression with its path. */
export interface LocatedExpression {
  readonly path: string
  readonly text: string
  readonly use: Use
  readonly parsed: Parsed
  /** Empty if it cannot be parsed. */
  readonly references: References
}
export interface LocatedAction {
  readonly action: Action
  readonly path: string
  readonly in: LocatedEvent
  readonly expressions: readonly LocatedExpression[]
}

export const eventsOf = (definition: DetectorModelDefinition): readonly LocatedEvent[] =>
  definition.states.flatMap((state, index) => {
    const at = `states[${index}]`
    const events = (phase: LocatedEvent['phase'], name: string, list: readonly Event[] | undefined) =>
      (list ?? []).map((event, number) => locateEvent(state, phase, event, `${at}.${phase}.${name}[${number}]`))
    return [
      ...events('onEnter', 'events', state.onEnter?.events),
      ...events('onInput', 'events', state.onInput?.events),
      ...events('onInput', 'transitionEvents', state.onInput?.transitionEvents),
      ...events('onExit', 'events', state.onExit?.events),
    ]
  })

function locateEvent(state: State, phase: LocatedEvent['phase'], event: Event, path: string): LocatedEvent {
  const text = event.condition?.trim() ? event.condition : undefined
  const condition = text !== undefined && locate(text, `${path}.condition`, 'condition', maxConditionLength)
  return { state, phase, event, path, ...(condition && { condition }) }
}

export const actionsOf = (events: readonly LocatedEvent[]): readonly LocatedAction[] =>
  events.flatMap((event) =>
    (event.event.actions ?? []).map((action, index) => {
      const path = `${event.path}.actions[${index}]`
      return { action, path, in: event, expressions: expressionsIn(action, path) }
    }),
  )

export function locate(text: string, path: string, use: Use, maxLength = maxExpressionLength): LocatedExpression {
  const parsed = parse(text, maxLength)
  return { path, text, use, parsed, references: parsed.node ? referencesOf(parsed.node) : noReferences }
}

export function expressionsIn(action: Action, path: string): readonly LocatedExpression[] {
  const { setVariable, setTimer } = action
  if (setVariable) return [locate(setVariable.value, `${path}.setVariable.value`, 'value')]
  if (setTimer?.durationExpression !== undefined)
    return [locate(setTimer.durationExpression, `${path}.setTimer.durationExpression`, 'duration')]
  const delivery = deliveryOf(action)
  if (!delivery) return []
  const { payload, ...fields } = delivery.fields
  const at = `${path}.${delivery.kind}`
  const expressions = textsIn(delivery.kind, fields, at)
  const use = payload?.type === 'JSON' ? 'json' : 'text'
  return payload
    ? [...expressions, locate(payload.contentExpression, `${at}.payload.contentExpression`, use)]
    : expressions
}

const uses: Readonly<Record<string, Use>> = { booleanValue: 'boolean', integerValue: 'integer', doubleValue: 'double' }

function textsIn(kind: DeliveryKind, fields: object, path: string): readonly LocatedExpression[] {
  return Object.entries(fields).flatMap(([name, value]: [string, unknown]) => {
    const at = `${path}.${name}`
    if (typeof value === 'object' && value !== null) return textsIn(kind, value, at)
    const meaning = meaningOf(kind, name)
    if (typeof value !== 'string' || meaning === 'literal') return []
    if (meaning === 'either' && !looksLikeExpression(value)) return []
    return [locate(value, at, uses[name] ?? 'text')]
  })
}

/** Expressions that can be parsed. */
export const readable = (
  expressions: readonly LocatedExpression[],
): readonly (LocatedExpression & { readonly node: Node })[] =>
  expressions.flatMap((expression) => (expression.parsed.node ? [{ ...expression, node: expression.parsed.node }] : []))
