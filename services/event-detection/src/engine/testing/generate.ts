import fc from 'fast-check'
import type { DetectorModelDefinition, EvaluationMethod } from '../../models/contract.ts'

/** Random models of up to four states, two inputs, three variables and two timers, and messages for them. */
export interface GeneratedModel {
  readonly definition: DetectorModelDefinition
  readonly evaluationMethod: EvaluationMethod
}

const numbers = [
  '$variable.a',
  '$variable.b',
  '$input.One.x',
  '$input.One.y',
  '$input.Two.x',
  '0',
  '1',
  '3',
  '2.5',
  '10.0',
]
const texts = ['$variable.c', '$input.One.s', "'red'", '"green"']

const { number, condition } = fc.letrec<{ number: string; condition: string }>((tie) => ({
  number: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    { arbitrary: fc.constantFrom(...numbers), weight: 3 },
    { arbitrary: joined(tie('number'), ['+', '-', '*', '/', '%']), weight: 2 },
    { arbitrary: tie('number').map((inner) => `-${inner}`), weight: 1 },
  ),
  condition: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    { arbitrary: fc.constantFrom('true', 'false', '$input.One.on', '$input.Two.on'), weight: 1 },
    { arbitrary: fc.constantFrom('timeout("t1")', 'timeout("t2")', 'triggerType("Timer")'), weight: 2 },
    { arbitrary: fc.constantFrom('currentInput("One")', 'currentInput("Two")'), weight: 2 },
    { arbitrary: joined(tie('number'), ['<', '<=', '>', '>=', '==', '!=']), weight: 6 },
    { arbitrary: joined(fc.constantFrom(...texts), ['==', '!=', '<']), weight: 1 },
    { arbitrary: fc.constantFrom(...numbers, ...texts).map((operand) => `isUndefined(${operand})`), weight: 1 },
    { arbitrary: joined(tie('condition'), ['&&', '||']), weight: 3 },
    { arbitrary: tie('condition').map((inner) => `!(${inner})`), weight: 1 },
  ),
}))

function joined(side: fc.Arbitrary<string>, operators: readonly string[]): fc.Arbitrary<string> {
  return fc.tuple(side, fc.constantFrom(...operators), side).map(([a, operator, b]) => `(${a} ${operator} ${b})`)
}

const timerName = fc.constantFrom('t1', 't2')
const action = fc.oneof(
  fc
    .tuple(fc.constantFrom('a', 'b'), number)
    .map(([variableName, value]) => ({ setVariable: { variableName, value } })),
  fc.constantFrom(...texts).map((value) => ({ setVariable: { variableName: 'c', value } })),
  fc
    .tuple(timerName, fc.integer({ min: 1, max: 40 }))
    .map(([name, seconds]) => ({ setTimer: { timerName: name, seconds } })),
  fc
    .tuple(timerName, number)
    .map(([name, durationExpression]) => ({ setTimer: { timerName: name, durationExpression } })),
  timerName.map((name) => ({ resetTimer: { timerName: name } })),
  timerName.map((name) => ({ clearTimer: { timerName: name } })),
)

const eventName = fc.constant('event')
const actions = fc.array(action, { maxLength: 3 })
const event = fc.record({ eventName, condition, actions }, { requiredKeys: ['eventName', 'actions'] })
const events = fc.array(event, { maxLength: 3 })

const definitionOf = (stateNames: readonly string[]): fc.Arbitrary<DetectorModelDefinition> => {
  const transition = fc.record({ eventName, condition, actions, nextState: fc.constantFrom(...stateNames) })
  const state = (stateName: string) =>
    fc.record({
      stateName: fc.constant(stateName),
      onEnter: fc.record({ events }),
      onInput: fc.record({ events, transitionEvents: fc.array(transition, { maxLength: 3 }) }),
      onExit: fc.record({ events }),
    })
  return fc.record({ states: fc.tuple(...stateNames.map(state)), initialStateName: fc.constantFrom(...stateNames) })
}

export const models: fc.Arbitrary<GeneratedModel> = fc
  .integer({ min: 1, max: 4 })
  .chain((count) => definitionOf(Array.from({ length: count }, (_, index) => `S${index}`)))
  .chain((definition) =>
    fc.constantFrom('BATCH' as const, 'SERIAL' as const).map((evaluationMethod) => ({ definition, evaluationMethod })),
  )

export interface GeneratedMessage {
  readonly at: number
  readonly inputName: string
  readonly payload: Readonly<Record<string, unknown>>
}

/** Messages seconds apart, some with missing values. */
export function someMessages(next: () => number, count: number): readonly GeneratedMessage[] {
  let at = 1_700_000_000_000
  const pick = <T>(...from: T[]) => from[Math.floor(next() * from.length)] as T
  return Array.from({ length: count }, () => {
    at += Math.floor(next() * 8_000)
    const payload: Record<string, unknown> = {}
    if (next() < 0.9) payload.x = Math.floor(next() * 9) - 3
    if (next() < 0.8) payload.y = pick(0.5, 2.5, -1.25, 7, null)
    if (next() < 0.8) payload.s = pick('red', 'green', '')
    if (next() < 0.7) payload.on = pick<unknown>(true, false, 'yes')
    return { at, inputName: pick('One', 'One', 'Two'), payload }
  })
}
