import { seededRandom, sized } from '@icosa/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Value } from '../expressions/value.ts'
import { compile, type Model } from './compile.ts'
import { evaluate } from './evaluate.ts'
import { type GeneratedMessage, type GeneratedModel, models, someMessages } from './testing/generate.ts'
import { ReferenceDetector } from './testing/reference.ts'
import type { Tagged } from './testing/reference-expressions.ts'
import type { DetectorState, Transition } from './types.ts'

/** 50 models with 200 keys each are 10,000 detectors; KEYS=10000 gives half a million. */
const modelCount = sized(20, 50)
const keysPerModel = sized(100, 200)
const messagesPerKey = 100

const plain = (value: Tagged): Value => {
  if (value.type === 'text') return value.text
  if (value.type === 'truth') return value.truth
  if (value.type === 'null') return null
  return value.type === 'fraction' && Number.isSafeInteger(value.number) ? { decimal: value.number } : value.number
}

interface Difference {
  readonly step: number
  readonly engine: unknown
  readonly reference: unknown
}

const counts = { messages: 0, timers: 0, transitions: 0 }

/** Feeds both the same messages and due timers, and stops at the first difference. */
function compare(
  model: Model,
  generated: GeneratedModel,
  messages: readonly GeneratedMessage[],
): Difference | undefined {
  const reference = new ReferenceDetector(generated.definition, generated.evaluationMethod === 'SERIAL')
  const path: Transition[] = []
  let state: DetectorState | undefined
  for (const [step, { at, inputName, payload }] of messages.entries()) {
    for (let due = firstDue(state, at); due && state; due = firstDue(state, at)) {
      const outcome = evaluate(model, state, { kind: 'timer', ...due })
      path.push(...outcome.transitions)
      state = outcome.state
      reference.timer(due.timerName, due.at)
      counts.timers++
    }
    const outcome = evaluate(model, state, { kind: 'message', inputName, payload, messageId: String(step), at })
    path.push(...outcome.transitions)
    state = outcome.state
    reference.message(inputName, payload, at)
    counts.messages++
    if (!isSame(state, reference) || path.length !== reference.transitions.length)
      return { step, engine: viewOf(state), reference: referenceView(reference) }
  }
  counts.transitions += path.length
  const names = path.map(({ to }) => to)
  if (names.join() === reference.transitions.join()) return undefined
  return { step: messages.length, engine: names, reference: reference.transitions }
}

function firstDue(state: DetectorState | undefined, until: number) {
  const [first] = Object.entries(state?.timers ?? {}).sort(([a, x], [b, y]) => x - y || (a < b ? -1 : 1))
  return first && first[1] <= until ? { timerName: first[0], at: first[1] } : undefined
}

function isSame(state: DetectorState, reference: ReferenceDetector): boolean {
  const variables = Object.entries(state.variables)
  const timers = Object.entries(state.timers)
  return (
    state.stateName === reference.state &&
    variables.length === reference.variables.size &&
    timers.length === reference.timers.size &&
    timers.every(([name, at]) => reference.timers.get(name) === at) &&
    variables.every(([name, value]) => sameValue(value, reference.variables.get(name)))
  )
}

function sameValue(value: Value, tagged: Tagged | undefined): boolean {
  if (!tagged) return false
  const other = plain(tagged)
  if (typeof value === 'object' && value !== null && typeof other === 'object' && other !== null)
    return Object.is(value.decimal, other.decimal)
  return Object.is(value, other)
}

const viewOf = ({ stateName, variables, timers }: DetectorState) => ({ stateName, variables, timers })
const referenceView = ({ state, variables, timers }: ReferenceDetector) => ({
  stateName: state,
  variables: Object.fromEntries([...variables].map(([name, value]) => [name, plain(value)])),
  timers: Object.fromEntries(timers),
})

/** Shrinks to the fewest messages that still show a difference. */
function shrink(
  model: Model,
  generated: GeneratedModel,
  messages: readonly GeneratedMessage[],
  difference: Difference,
) {
  let few = messages.slice(0, difference.step + 1)
  for (let index = few.length - 1; index >= 0; index--) {
    const fewer = few.toSpliced(index, 1)
    if (compare(model, generated, fewer)) few = fewer
  }
  return { messages: few, difference: compare(model, generated, few) }
}

test('the engine agrees with an independent reference interpreter on random models', () => {
  const start = performance.now()
  fc.assert(
    fc.property(models, fc.integer(), (generated, seed) => {
      const model = compile({
        detectorModelName: 'random',
        detectorModelVersion: '1',
        detectorModelDefinition: generated.definition,
        evaluationMethod: generated.evaluationMethod,
      })
      for (let key = 0; key < keysPerModel; key++) {
        const messages = someMessages(seededRandom(seed + key), messagesPerKey)
        const difference = compare(model, generated, messages)
        if (difference) throw new Error(JSON.stringify(shrink(model, generated, messages, difference), null, 1))
      }
    }),
    { numRuns: modelCount, seed: Number(process.env.SEED ?? 1), endOnFailure: false },
  )
  const { messages, timers, transitions } = counts
  console.log(
    `${modelCount} models, ${modelCount * keysPerModel} keys: ${messages} messages, ${timers} timers, ${transitions} ` +
      `transitions alike, in ${((performance.now() - start) / 1000).toFixed(1)} s`,
  )
  expect(messages).toBe(modelCount * keysPerModel * messagesPerKey)
  expect(Math.min(timers, transitions)).toBeGreaterThan(messages / 50)
}, 600_000)
