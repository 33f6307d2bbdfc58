import { isProblem } from '../expressions/value.ts'
import type { CompiledEvent, CompiledTransition, Model } from './compile.ts'
import { keep } from './inputs.ts'
import { begin, type Run, stateOf, without } from './run.ts'
import type { DetectorState, MessageTrigger, Outcome, TimerTrigger } from './types.ts'

/**
 * What a message or a timer does to a detector: its next state, the deliveries to make, the transitions, and what could
 * not be evaluated. Nothing but the arguments counts, and none of them is changed. Without a state, or with one that the
 * model does not have (any more), the message makes a new detector.
 */
export function evaluate(model: Model, state: DetectorState | undefined, trigger: MessageTrigger): Outcome
export function evaluate(model: Model, state: DetectorState, trigger: MessageTrigger | TimerTrigger): Outcome
export function evaluate(
  model: Model,
  state: DetectorState | undefined,
  trigger: MessageTrigger | TimerTrigger,
): Outcome {
  const known = state && model.states.has(state.stateName) ? state : undefined
  const run = trigger.kind === 'message' ? received(model, known, trigger) : fired(model, known, trigger)
  if (!run) return { ...nothingHappened, state: known ?? withoutTimers(state as DetectorState) }
  if (!known) enter(model, run, model.initialStateName)
  handle(model, run)
  return { state: stateOf(run), effects: run.effects, transitions: run.transitions, errors: run.errors }
}

const nothingHappened = { effects: [], transitions: [], errors: [] }

/** A state that the model does not have (any more) waits for no timer. */
const withoutTimers = (state: DetectorState): DetectorState => ({ ...state, timers: {} })

const nothing: Omit<DetectorState, 'stateName'> = { variables: {}, timers: {}, durations: {}, elapsed: [], inputs: {} }

function received(model: Model, state: DetectorState | undefined, trigger: MessageTrigger): Run {
  const from = state ?? { ...nothing, stateName: model.initialStateName }
  const inputs = keep(from.inputs, model.reads, trigger.inputName, trigger.payload)
  return begin(model, { ...from, inputs }, trigger)
}

/** A timer that was cleared, or set anew, in the meantime does not fire. */
function fired(model: Model, state: DetectorState | undefined, trigger: TimerTrigger): Run | undefined {
  const { timerName, at } = trigger
  if (!state || !Object.hasOwn(state.timers, timerName) || (state.timers[timerName] as number) > at) return undefined
  const elapsed = [...state.elapsed.filter((name) => name !== timerName), timerName]
  return begin(model, { ...state, elapsed, timers: without(state.timers, timerName) }, trigger)
}

/** The events of the state that the detector is in, and the first transition whose condition is true. */
function handle(model: Model, run: Run): void {
  const state = model.states.get(run.stateName)
  if (!state) return
  const { events, transitions } = state.onInput
  if (model.evaluationMethod === 'SERIAL') {
    fire(model, run, events)
    follow(model, run, firstOf(run, transitions))
  } else {
    const due = events.filter((event) => holds(run, event))
    const transition = firstOf(run, transitions)
    for (const event of due) perform(run, event)
    follow(model, run, transition)
  }
}

const firstOf = (run: Run, transitions: readonly CompiledTransition[]) =>
  transitions.find((transition) => holds(run, transition))

/** SERIAL: each event sees what those before it did. BATCH: all conditions first, then what they led to. */
function fire(model: Model, run: Run, events: readonly CompiledEvent[]): void {
  if (model.evaluationMethod === 'SERIAL') {
    for (const event of events) if (holds(run, event)) perform(run, event)
  } else {
    for (const event of events.filter((one) => holds(run, one))) perform(run, event)
  }
}

function follow(model: Model, run: Run, transition: CompiledTransition | undefined): void {
  if (!transition) return
  perform(run, transition)
  fire(model, run, model.states.get(run.stateName)?.onExit ?? [])
  enter(model, run, transition.nextState, { from: run.stateName, eventName: transition.eventName })
}

function enter(model: Model, run: Run, to: string, origin: { from?: string; eventName?: string } = {}): void {
  const { trigger } = run
  const cause = trigger.kind === 'message' ? { messageId: trigger.messageId } : { timerName: trigger.timerName }
  run.transitions.push({ ...origin, to, at: trigger.at, ...cause })
  run.stateName = to
  fire(model, run, model.states.get(to)?.onEnter ?? [])
}

function holds(run: Run, { condition }: CompiledEvent): boolean {
  if (!condition) return true
  const result = condition.evaluate(run)
  if (result === true) return true
  if (result === false) return false
  const message = isProblem(result) ? result.problem : 'a condition is true or false'
  run.errors.push({ path: condition.path, expression: condition.text, message })
  return false
}

function perform(run: Run, event: CompiledEvent): void {
  for (const action of event.actions) action(run, event.eventName)
}
