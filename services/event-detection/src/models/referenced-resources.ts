import { pathOf } from '../expressions/payload.ts'
import { pathText, type Segment } from '../expressions/syntax.ts'
import type { ModelContext, ModelParts } from './check.ts'
import type { InputDefinition } from './contract.ts'
import { type Finding, finding } from './findings.ts'
import type { LocatedExpression } from './located.ts'

export interface InputUse {
  readonly name: string
  readonly at: string
  /** Path that is read, if any. */
  readonly path?: readonly Segment[]
}

/** Inputs that expressions read or name. */
export const inputsOf = ({ expressions }: { expressions: readonly LocatedExpression[] }): readonly InputUse[] =>
  expressions.flatMap(({ references: { inputs, inputNames }, path: at }) => [
    ...inputs.map(({ input, path }) => ({ name: input, at, path })),
    ...inputNames.map((name) => ({ name, at })),
  ])

export const checkResources = (parts: ModelParts, { inputs }: ModelContext): readonly Finding[] =>
  inputs ? checkInputs([...inputsOf(parts), ...targets(parts)], inputs) : []

export function checkInputs(uses: readonly InputUse[], inputs: ReadonlyMap<string, InputDefinition>) {
  return uses.flatMap((use): readonly Finding[] => {
    const definition = inputs.get(use.name)
    if (!definition) return missing(use)
    return use.path === undefined || hasAttribute(definition, use.path) ? [] : unknownAttribute(use)
  })
}

const targets = ({ actions }: ModelParts): readonly InputUse[] =>
  actions.flatMap(({ action, path }) =>
    action.iotEvents ? [{ name: action.iotEvents.inputName, at: `${path}.iotEvents.inputName` }] : [],
  )

const missing = ({ name, at }: InputUse) => [
  finding('referenced-resource', 'ERROR', `There is no input '${name}'; create it first.`, at),
]

const unknownAttribute = ({ name, at, path = [] }: InputUse) => {
  const message = `The input '${name}' has no attribute '${pathText(path)}'; add it to the input's definition.`
  return [finding('referenced-resource', 'ERROR', message, at)]
}

/** An attribute includes its nested values. */
const hasAttribute = ({ attributes }: InputDefinition, path: readonly Segment[]): boolean =>
  attributes.some(({ jsonPath }) => pathOf(jsonPath).every((segment, index) => segment === path[index]))
