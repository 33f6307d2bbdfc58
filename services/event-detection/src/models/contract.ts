import { named, oneOf, type Static, Type } from '@icosa/contract'
import { Action } from './actions/contract.ts'

const StateName = Type.String({ minLength: 1, maxLength: 128 })
const eventFields = {
  eventName: Type.String({ maxLength: 128 }),
  actions: Type.Optional(Type.Array(Action, { maxItems: 100 })),
}
const Condition = Type.String({ maxLength: 512 })

const Event = named('Event', { ...eventFields, condition: Type.Optional(Condition) })
export interface Event extends Static<typeof Event> {}

const TransitionEvent = named('TransitionEvent', { ...eventFields, condition: Condition, nextState: StateName })
export interface TransitionEvent extends Static<typeof TransitionEvent> {}

const events = Type.Optional(Type.Array(Event, { maxItems: 200 }))

const State = named('State', {
  stateName: StateName,
  onInput: Type.Optional(
    named('OnInputLifecycle', {
      events,
      transitionEvents: Type.Optional(Type.Array(TransitionEvent, { maxItems: 200 })),
    }),
  ),
  onEnter: Type.Optional(named('OnEnterLifecycle', { events })),
  onExit: Type.Optional(named('OnExitLifecycle', { events })),
})
export interface State extends Static<typeof State> {}

/** Allows more than the service's limits, so that an analysis can report them. */
export const DetectorModelDefinition = named('DetectorModelDefinition', {
  states: Type.Array(State, { maxItems: 200 }),
  initialStateName: StateName,
})
export interface DetectorModelDefinition extends Static<typeof DetectorModelDefinition> {}

export const EvaluationMethod = oneOf('BATCH', 'SERIAL')
export type EvaluationMethod = Static<typeof EvaluationMethod>

export const InputName = Type.String({ minLength: 1, maxLength: 128, pattern: '^[a-zA-Z][a-zA-Z0-9_]*$' })

/** Names separated by dots; those with spaces in backticks. */
export const AttributePath = Type.String({
  minLength: 1,
  maxLength: 128,
  pattern: '^((`[\\w\\- ]+`)|([\\w\\-]+))(\\.((`[\\w\\- ]+`)|([\\w\\-]+)))*$',
})

export const InputDefinition = named('InputDefinition', {
  attributes: Type.Array(named('Attribute', { jsonPath: AttributePath }), { minItems: 1, maxItems: 200 }),
})
export interface InputDefinition extends Static<typeof InputDefinition> {}
