import { isProblem } from '../expressions/value.ts'
import type { CompiledEvent, CompiledTransition, Model } from './compile.ts'
import { updateInputs } from './inputs.ts'
import { begin, type Run, stateOf, without } from './run.ts'
import type { DetectorState, MessageTrigger, Outcome, TimerTrigger } from './types.ts'

/**
 * Applies a message or a timer to a detector. Returns next state, deliveries, transitions and errors. A pure function. Without
 * a state, or with one that the model no longer has, the message creates a new detector.
 */
export function evaluate(model: Model, state: DetectorState | undefined, trigger: MessageTrigger): Outcome
export function evaluate(model: Model, state: DetectorState, trigger: MessageTrigger | TimerTrigger): Outcome
export function evaluate(
  model: Model,
  state: DetectorState | undefined,
  trigger: MessageTrigger | TimerTrigger,
): Outcome {
  const current = state && model.states.has(state.stateName) ? state : undefined
  const run = trigger.kind === 'message' ? runOfMessage(model, current, trigger) : runOfTimer(model, current, trigger)
  if (!run) return { ...noEffects, state: current ?? withoutTimers(state as DetectorState) }
  if (!current) enter(model, run, model.initialStateName)
  handle(model, run)
  return { state: stateOf(run), effects: run.effects, transitions: run.transitions, errors: run.errors }
}

const noEffects = { effects: [], transitions: [], errors: [] }

const withoutTimers = (state: DetectorState): DetectorState => ({ ...state, timers: {} })

const emptyState: Omit<DetectorState, 'stateName'> = {
  variables: {},
  timers: {},
  durations: {},
  elapsed: [],
  inputs: {},
}

function runOfMessage(model: Model, state: DetectorState | undefined, trigger: MessageTrigger): Run {
  const from = state ?? { ...emptyState, stateName: model.initialStateName }
  const inputs = updateInputs(from.inputs, model.reads, trigger.inputName, trigger.payload)
  return begin(model, { ...from, inputs }, trigger)
}

/** Undefined if the timer was cleared or reset meanwhile. */
function runOfTimer(model: Model, state: DetectorState | undefined, trigger: TimerTrigger): Run | undefined {
  const { timerName, at } = trigger
  if (!state || !Object.hasOwn(state.timers, timerName) || (state.timers[timerName] as number) > at) return undefined
  const elapsed = [...state.elapsed.filter((name) => name !== timerName), timerName]
  return begin(model, { ...state, elapsed, timers: without(state.timers, timerName) }, trigger)
}

/** Runs the events of the current state, and the first transition whose condition is true. */
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

/** SERIAL: each event sees the effects of earlier ones. BATCH: evaluates all conditions first. */
function fire(model: Model, run: Run, events: readonly CompiledEvent[]): void {
  if (model.evaluationMethod === 'SERIAL') {
    for (const event of events) if (holds(run, event)) perform(run, event)
  } else {
    for (const event of events.filter((candidate) => holds(run, candidate))) perform(run, event)
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
