import { everyNode, type InputReference, type Node } from './syntax.ts'

/** What an expression looks at, each once for every time it does. */
export interface References {
  readonly inputs: readonly InputReference[]
  /** Inputs that are only asked for by name: `currentInput("X")`. */
  readonly inputNames: readonly string[]
  readonly variables: readonly string[]
  readonly timers: readonly string[]
  /** Whether it asks what the evaluation was triggered by. */
  readonly asksTrigger: boolean
  /** Whether it is worth the same whatever happens. */
  readonly isConstant: boolean
}

export const noReferences: References = {
  inputs: [],
  inputNames: [],
  variables: [],
  timers: [],
  asksTrigger: false,
  isConstant: false,
}

export function referencesOf(node: Node): References {
  const nodes = everyNode(node)
  const named = (name: string) =>
    nodes.flatMap((one) => {
      if (one.kind !== 'call' || one.name !== name) return []
      const [argument] = one.args
      return argument?.kind === 'literal' && typeof argument.value === 'string' ? [argument.value] : []
    })
  return {
    inputs: nodes.filter((one) => one.kind === 'input'),
    inputNames: named('currentInput'),
    variables: nodes.flatMap((one) => (one.kind === 'variable' ? [one.name] : [])),
    timers: named('timeout'),
    asksTrigger: nodes.some((one) => one.kind === 'call' && ['triggerType', 'currentInput'].includes(one.name)),
    isConstant: !nodes.some(({ kind }) => kind === 'input' || kind === 'variable' || kind === 'call'),
  }
}
