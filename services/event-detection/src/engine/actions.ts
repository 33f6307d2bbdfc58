import { isProblem, numberIn, type Result } from '../expressions/value.ts'
import { type Action, maxTimerSeconds } from '../models/actions/contract.ts'
import { deliveryOf } from '../models/actions/fields.ts'
import type { CompiledExpression, Reader } from './compile.ts'
import { compileDelivery } from './deliveries.ts'
import { type Run, without } from './run.ts'

/** Changes the detector or adds an effect. Failures are added to the errors, and the next action follows. */
export type CompiledAction = (run: Run, eventName: string) => void

const maxVariableLength = 1024

export function compileAction(action: Action, path: string, read: Reader): CompiledAction {
  if (action.setVariable) return setVariable(action.setVariable, `${path}.setVariable`, read)
  if (action.setTimer) return setTimer(action.setTimer, `${path}.setTimer`, read)
  if (action.resetTimer) return resetTimer(action.resetTimer.timerName, `${path}.resetTimer`)
  if (action.clearTimer) return clearTimer(action.clearTimer.timerName)
  const delivery = deliveryOf(action)
  if (!delivery) throw new Error(`${path}: there is no such action`)
  return compileDelivery(delivery.kind, delivery.fields, `${path}.${delivery.kind}`, read)
}

/** Evaluates an expression; undefined after adding an error. */
export function valueFor(run: Run, expression: CompiledExpression, problemOf?: (value: Result) => string | undefined) {
  const value = expression.evaluate(run)
  const message = isProblem(value) ? value.problem : problemOf?.(value)
  if (message === undefined && !isProblem(value)) return value
  run.errors.push({ path: expression.path, expression: expression.text, message: message ?? 'has no value' })
  return undefined
}

function setVariable(
  { variableName, value: text }: NonNullable<Action['setVariable']>,
  path: string,
  read: Reader,
): CompiledAction {
  const expression = read(text, `${path}.value`)
  const problemOf = (value: Result) => {
    if (value === null) return 'a variable cannot be null'
    return typeof value === 'string' && value.length > maxVariableLength
      ? `a variable has at most ${maxVariableLength} characters`
      : undefined
  }
  return (run) => {
    const value = valueFor(run, expression, problemOf)
    if (value !== undefined) run.variables = { ...run.variables, [variableName]: value }
  }
}

function setTimer(
  { timerName, seconds, durationExpression }: NonNullable<Action['setTimer']>,
  path: string,
  read: Reader,
): CompiledAction {
  if (seconds !== undefined) return (run) => start(run, timerName, seconds)
  const expression = read(durationExpression ?? '', `${path}.durationExpression`)
  const problemOf = (value: Result) => {
    const number = isProblem(value) ? undefined : numberIn(value)
    return number !== undefined && Math.floor(number) >= 1 && Math.floor(number) <= maxTimerSeconds
      ? undefined
      : `a timer takes 1 to ${maxTimerSeconds} seconds`
  }
  return (run) => {
    const value = valueFor(run, expression, problemOf)
    if (value !== undefined) start(run, timerName, Math.floor(numberIn(value) as number))
  }
}

function start(run: Run, timerName: string, seconds: number): void {
  run.timers = { ...run.timers, [timerName]: run.trigger.at + seconds * 1000 }
  run.durations = { ...run.durations, [timerName]: seconds }
  discardElapsed(run, timerName)
}

const discardElapsed = (run: Run, timerName: string) => {
  if (run.elapsed.includes(timerName)) run.elapsed = run.elapsed.filter((name) => name !== timerName)
}

function resetTimer(timerName: string, path: string): CompiledAction {
  return (run) => {
    if (Object.hasOwn(run.durations, timerName)) start(run, timerName, run.durations[timerName] as number)
    else run.errors.push({ path, expression: timerName, message: `the timer '${timerName}' has not been set` })
  }
}

function clearTimer(timerName: string): CompiledAction {
  return (run) => {
    run.timers = without(run.timers, timerName)
    run.durations = without(run.durations, timerName)
    discardElapsed(run, timerName)
  }
}
