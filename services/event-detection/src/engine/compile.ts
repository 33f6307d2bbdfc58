import { compile as compileNode, type Evaluate } from '../expressions/compile.ts'
import { maxConditionLength, maxExpressionLength, parse } from '../expressions/parse.ts'
import { referencesOf } from '../expressions/references.ts'
import type { InputReference } from '../expressions/syntax.ts'
import type { DetectorModelDefinition, EvaluationMethod, Event, State, TransitionEvent } from '../models/contract.ts'
import { type CompiledAction, compileAction } from './actions.ts'
import { type Reads, readsOf } from './inputs.ts'
import type { Subject } from './run.ts'

export interface DetectorModelSource {
  readonly detectorModelName: string
  readonly detectorModelVersion: string
  readonly detectorModelDefinition: DetectorModelDefinition
  readonly evaluationMethod?: EvaluationMethod
}

/** A definition with compiled expressions, reused for every message. */
export interface Model extends Subject {
  readonly evaluationMethod: EvaluationMethod
  readonly initialStateName: string
  readonly states: ReadonlyMap<string, CompiledState>
  /** Inputs that it reads. */
  readonly inputs: readonly string[]
  readonly reads: Reads
}

export interface CompiledState {
  readonly onInput: { readonly events: readonly CompiledEvent[]; readonly transitions: readonly CompiledTransition[] }
  readonly onEnter: readonly CompiledEvent[]
  readonly onExit: readonly CompiledEvent[]
}
export interface CompiledEvent {
  readonly eventName: string
  /** Missing if unconditional. */
  readonly condition?: CompiledExpression
  readonly actions: readonly CompiledAction[]
}
export interface CompiledTransition extends CompiledEvent {
  readonly nextState: string
}
export interface CompiledExpression {
  readonly path: string
  readonly text: string
  readonly evaluate: Evaluate
}

/** Compiles expressions and collects their references. */
export type Reader = (text: string, path: string, maxLength?: number) => CompiledExpression

/** Throws on a syntax error: `checkDetectorModel` reports all of them first. */
export function compile(source: DetectorModelSource): Model {
  const { references, names, read } = reader()
  const definition = source.detectorModelDefinition
  const states = new Map(
    definition.states.map((state, index) => [state.stateName, compileState(state, `states[${index}]`, read)]),
  )
  if (!states.has(definition.initialStateName)) throw new Error(`There is no state '${definition.initialStateName}'`)
  return {
    name: source.detectorModelName,
    version: source.detectorModelVersion,
    evaluationMethod: source.evaluationMethod ?? 'BATCH',
    initialStateName: definition.initialStateName,
    states,
    inputs: [...new Set([...references.map(({ input }) => input), ...names])],
    reads: readsOf(references),
  }
}

/** Creates an expression compiler that collects the inputs read or named. */
export function reader() {
  const references: InputReference[] = []
  const names: string[] = []
  const read: Reader = (text, path, maxLength = maxExpressionLength) => {
    const parsed = parse(text, maxLength)
    if (!parsed.node) throw new Error(`${path}, character ${parsed.at}: ${parsed.problem}`)
    const { inputs, inputNames } = referencesOf(parsed.node)
    references.push(...inputs)
    names.push(...inputNames)
    return { path, text, evaluate: compileNode(parsed.node) }
  }
  return { references, names, read }
}

function compileState({ onInput, onEnter, onExit }: State, path: string, read: Reader): CompiledState {
  const events = (list: readonly Event[] | undefined, at: string) =>
    (list ?? []).map((event, index) => compileEvent(event, `${path}.${at}[${index}]`, read))
  return {
    onInput: {
      events: events(onInput?.events, 'onInput.events'),
      transitions: (onInput?.transitionEvents ?? []).map((transition: TransitionEvent, index) => ({
        ...compileEvent(transition, `${path}.onInput.transitionEvents[${index}]`, read),
        nextState: transition.nextState,
      })),
    },
    onEnter: events(onEnter?.events, 'onEnter.events'),
    onExit: events(onExit?.events, 'onExit.events'),
  }
}

function compileEvent({ eventName, condition, actions }: Event, path: string, read: Reader): CompiledEvent {
  const hasCondition = condition !== undefined && condition.trim() !== ''
  return {
    eventName,
    ...(hasCondition && { condition: read(condition, `${path}.condition`, maxConditionLength) }),
    actions: (actions ?? []).map((action, index) => compileAction(action, `${path}.actions[${index}]`, read)),
  }
}
