import type { DetectorModelDefinition, InputDefinition } from './contract.ts'
import { checkDataTypes } from './data-types.ts'
import { type Finding, finding } from './findings.ts'
import { checkLimits, checkSizes } from './limits.ts'
import { actionsOf, eventsOf, type LocatedAction, type LocatedEvent, type LocatedExpression } from './located.ts'
import { checkData } from './referenced-data.ts'
import { checkResources } from './referenced-resources.ts'
import { checkStructure } from './structure.ts'

/** What there is beside the model; without it, resources are not looked at. */
export interface Surroundings {
  /** By name, the inputs that exist. */
  readonly inputs?: ReadonlyMap<string, InputDefinition>
  /** By input, how many other detector models it is routed to. */
  readonly modelsOfInput?: ReadonlyMap<string, number>
}

/** A definition, taken apart once for all checks. */
export interface Taken {
  readonly definition: DetectorModelDefinition
  readonly events: readonly LocatedEvent[]
  readonly actions: readonly LocatedAction[]
  readonly expressions: readonly LocatedExpression[]
}

/** All that can be said about a definition before it runs. Those with an ERROR are not to be created. */
export function checkDetectorModel(definition: DetectorModelDefinition, around: Surroundings = {}): readonly Finding[] {
  const tooLarge = checkSizes(definition)
  if (tooLarge.length > 0) return tooLarge
  const events = eventsOf(definition)
  const actions = actionsOf(events)
  const conditions = events.flatMap(({ condition }) => condition ?? [])
  const expressions = [...conditions, ...actions.flatMap((action) => action.expressions)]
  const taken: Taken = { definition, events, actions, expressions }
  return [
    ...checkStructure(taken),
    ...checkLimits(taken, around),
    ...checkSyntax(expressions),
    ...checkDataTypes(taken),
    ...checkData(taken),
    ...checkResources(taken, around),
  ]
}

export const checkSyntax = (expressions: readonly LocatedExpression[]): readonly Finding[] =>
  expressions.flatMap(({ parsed, path, text }) =>
    parsed.node
      ? []
      : [
          finding(
            'expression-syntax',
            'ERROR',
            `'${shortened(text)}', character ${parsed.at}: ${parsed.problem}.`,
            path,
          ),
        ],
  )

const shortened = (text: string) => (text.length > 80 ? `${text.slice(0, 77)}...` : text)
