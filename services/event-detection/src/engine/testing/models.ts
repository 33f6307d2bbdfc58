import type { Action } from '../../models/actions/contract.ts'
import type { DetectorModelDefinition, EvaluationMethod, Event, State, TransitionEvent } from '../../models/contract.ts'
import { compile } from '../compile.ts'
import { evaluate } from '../evaluate.ts'
import type { DetectorState, Outcome } from '../types.ts'

export const event = (eventName: string, condition: string, ...actions: Action[]): Event => ({
  eventName,
  condition,
  actions,
})
export const to = (nextState: string, condition: string, ...actions: Action[]): TransitionEvent => ({
  eventName: `to ${nextState}`,
  condition,
  actions,
  nextState,
})
export const set = (variableName: string, value: string): Action => ({ setVariable: { variableName, value } })
export const timer = (timerName: string, seconds: number): Action => ({ setTimer: { timerName, seconds } })

type Parts = { onEnter?: Event[]; events?: Event[]; transitions?: TransitionEvent[]; onExit?: Event[] }
export const state = (
  stateName: string,
  { onEnter = [], events = [], transitions = [], onExit = [] }: Parts,
): State => ({
  stateName,
  onEnter: { events: onEnter },
  onInput: { events, transitionEvents: transitions },
  onExit: { events: onExit },
})

export const definition = (...states: State[]): DetectorModelDefinition => ({
  states,
  initialStateName: states[0]?.stateName ?? '',
})

export const start = Date.UTC(2026, 2, 1, 12)

/** A detector that receives messages of the input In and timers, at seconds after the start. */
export function detector(model: DetectorModelDefinition, evaluationMethod: EvaluationMethod = 'BATCH') {
  const compiled = compile({
    detectorModelName: 'tested',
    detectorModelVersion: '1',
    detectorModelDefinition: model,
    evaluationMethod,
  })
  let current: DetectorState | undefined
  let messages = 0
  /** Serializes every state, as a database does, and freezes it. */
  const store = (outcome: Outcome): Outcome => {
    current = frozen(JSON.parse(JSON.stringify(outcome.state)) as DetectorState)
    return outcome
  }
  return {
    get state(): DetectorState | undefined {
      return current
    },
    receive(payload: object, second = 0, inputName = 'In'): Outcome {
      const trigger = {
        kind: 'message',
        inputName,
        payload,
        messageId: `m${++messages}`,
        at: start + second * 1000,
      } as const
      return store(evaluate(compiled, current, frozen({ ...trigger, keyValue: 'K' })))
    },
    fire(timerName: string, second: number): Outcome {
      if (!current) throw new Error('no detector yet')
      return store(evaluate(compiled, current, { kind: 'timer', timerName, at: start + second * 1000, keyValue: 'K' }))
    },
  }
}

export function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) for (const part of Object.values(Object.freeze(value))) frozen(part)
  return value
}
