import { everyNode, type InputReference, type Node } from './syntax.ts'

/** References of an expression, with duplicates. */
export interface References {
  readonly inputs: readonly InputReference[]
  /** Inputs referenced by name only: `currentInput("X")`. */
  readonly inputNames: readonly string[]
  readonly variables: readonly string[]
  readonly timers: readonly string[]
  /** Whether it tests the trigger of the evaluation. */
  readonly testsTrigger: boolean
  readonly isConstant: boolean
}

export const noReferences: References = {
  inputs: [],
  inputNames: [],
  variables: [],
  timers: [],
  testsTrigger: false,
  isConstant: false,
}

export function referencesOf(node: Node): References {
  const nodes = everyNode(node)
  const argumentsOf = (name: string) =>
    nodes.flatMap((call) => {
      if (call.kind !== 'call' || call.name !== name) return []
      const [argument] = call.args
      return argument?.kind === 'literal' && typeof argument.value === 'string' ? [argument.value] : []
    })
  return {
    inputs: nodes.filter((part) => part.kind === 'input'),
    inputNames: argumentsOf('currentInput'),
    variables: nodes.flatMap((part) => (part.kind === 'variable' ? [part.name] : [])),
    timers: argumentsOf('timeout'),
    testsTrigger: nodes.some((part) => part.kind === 'call' && ['triggerType', 'currentInput'].includes(part.name)),
    isConstant: !nodes.some(({ kind }) => kind === 'input' || kind === 'variable' || kind === 'call'),
  }
}
