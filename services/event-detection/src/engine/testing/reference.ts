import { evaluateText, noValue, type ReferenceScope, type Tagged } from './reference-expressions.ts'

/**
 * Independent reference implementation of detectors, which interprets the JSON definition. For comparing states, variables and
 * timers only: it delivers nothing.
 */
export class ReferenceDetector {
  state: string | undefined
  variables = new Map<string, Tagged>()
  timers = new Map<string, number>()
  transitions: string[] = []
  private readonly durations = new Map<string, number>()
  private readonly messages = new Map<string, unknown>()
  private elapsed = new Set<string>()
  private tested = new Set<string>()
  private readonly definition: Json
  private readonly isSerial: boolean
  private now = 0

  constructor(definition: Json, isSerial: boolean) {
    this.definition = definition
    this.isSerial = isSerial
  }

  message(input: string, payload: unknown, at: number): void {
    this.now = at
    this.tested = new Set()
    this.messages.set(input, payload)
    if (this.state === undefined) this.enter(this.definition.initialStateName, input)
    this.react(input)
  }

  timer(name: string, at: number): void {
    this.now = at
    this.tested = new Set()
    this.timers.delete(name)
    this.elapsed.add(name)
    this.react(undefined)
  }

  private react(current: string | undefined): void {
    const { events = [], transitionEvents = [] } = this.stateNamed(this.state).onInput ?? {}
    let next: Json | undefined
    if (this.isSerial) {
      for (const event of events) if (this.holds(event, current)) this.act(event, current)
      next = transitionEvents.find((event: Json) => this.holds(event, current))
    } else {
      const due = events.map((event: Json) => this.holds(event, current))
      next = transitionEvents.find((event: Json) => this.holds(event, current))
      events.forEach((event: Json, index: number) => {
        if (due[index]) this.act(event, current)
      })
    }
    if (next) {
      this.act(next, current)
      this.all(this.stateNamed(this.state).onExit?.events ?? [], current)
      this.enter(next.nextState, current)
    }
    for (const name of this.tested) this.elapsed.delete(name)
  }

  private enter(state: string, current: string | undefined): void {
    this.state = state
    this.transitions.push(state)
    this.all(this.stateNamed(state).onEnter?.events ?? [], current)
  }

  private all(events: Json[], current: string | undefined): void {
    const before = events.map((event) => !this.isSerial && this.holds(event, current))
    events.forEach((event, index) => {
      if (this.isSerial ? this.holds(event, current) : before[index]) this.act(event, current)
    })
  }

  private stateNamed(name: string | undefined): Json {
    return this.definition.states.find((state: Json) => state.stateName === name)
  }

  private holds(event: Json, current: string | undefined): boolean {
    if (event.condition === undefined) return true
    const result = this.try(event.condition, current)
    return result?.type === 'truth' && result.truth
  }

  private try(expression: string, current: string | undefined): Tagged | undefined {
    try {
      return evaluateText(expression, this.world(current))
    } catch (error) {
      if (error === noValue) return undefined
      throw error
    }
  }

  private world(current: string | undefined): ReferenceScope {
    return {
      current,
      variable: (name) => this.variables.get(name),
      input: (name, path) => tag(path.reduce<Json>((at, part) => at?.[part], this.messages.get(name))),
      elapsed: (timer) => {
        if (!this.elapsed.has(timer)) return false
        this.tested.add(timer)
        return true
      },
    }
  }

  private act(event: Json, current: string | undefined): void {
    for (const action of event.actions ?? []) {
      if (action.setVariable) {
        const value = this.try(action.setVariable.value, current)
        if (value && value.type !== 'null' && !(value.type === 'text' && value.text.length > 1024))
          this.variables.set(action.setVariable.variableName, value)
      } else if (action.setTimer) this.start(action.setTimer, current)
      else if (action.resetTimer) {
        const seconds = this.durations.get(action.resetTimer.timerName)
        if (seconds !== undefined) this.start({ timerName: action.resetTimer.timerName, seconds }, current)
      } else if (action.clearTimer) {
        for (const map of [this.timers, this.durations]) map.delete(action.clearTimer.timerName)
        this.elapsed.delete(action.clearTimer.timerName)
      }
    }
  }

  private start({ timerName, seconds, durationExpression }: Json, current: string | undefined): void {
    const duration = seconds === undefined ? this.try(durationExpression, current) : { type: 'whole', number: seconds }
    if (duration?.type !== 'whole' && duration?.type !== 'fraction') return
    const whole = Math.floor(duration.number)
    if (whole < 1 || whole > 366 * 86_400) return
    this.timers.set(timerName, this.now + whole * 1000)
    this.durations.set(timerName, whole)
    this.elapsed.delete(timerName)
  }
}

function tag(json: unknown): Tagged | undefined {
  if (typeof json === 'string') return { type: 'text', text: json }
  if (typeof json === 'boolean') return { type: 'truth', truth: json }
  if (typeof json === 'number') return { type: Number.isInteger(json) ? 'whole' : 'fraction', number: json }
  return json === null ? { type: 'null' } : undefined
}

// biome-ignore lint/suspicious/noExplicitAny: the definition is plain JSON
type Json = any
