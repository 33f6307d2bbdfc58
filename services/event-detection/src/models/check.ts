import type { DetectorModelDefinition, InputDefinition } from './contract.ts'
import { checkDataTypes } from './data-types.ts'
import { type Finding, finding } from './findings.ts'
import { checkLimits, checkSizes } from './limits.ts'
import { actionsOf, eventsOf, type LocatedAction, type LocatedEvent, type LocatedExpression } from './located.ts'
import { checkData } from './referenced-data.ts'
import { checkResources } from './referenced-resources.ts'
import { checkStructure } from './structure.ts'

/** Existing resources; without them, references are not checked. */
export interface ModelContext {
  /** Existing inputs, by name. */
  readonly inputs?: ReadonlyMap<string, InputDefinition>
  /** Number of other detector models by input. */
  readonly modelsOfInput?: ReadonlyMap<string, number>
}

/** Parsed parts of a definition, shared by all checks. */
export interface ModelParts {
  readonly definition: DetectorModelDefinition
  readonly events: readonly LocatedEvent[]
  readonly actions: readonly LocatedAction[]
  readonly expressions: readonly LocatedExpression[]
}

/** Static checks of a definition. One with an ERROR must not be created. */
export function checkDetectorModel(
  definition: DetectorModelDefinition,
  context: ModelContext = {},
): readonly Finding[] {
  const tooLarge = checkSizes(definition)
  if (tooLarge.length > 0) return tooLarge
  const events = eventsOf(definition)
  const actions = actionsOf(events)
  const conditions = events.flatMap(({ condition }) => condition ?? [])
  const expressions = [...conditions, ...actions.flatMap((action) => action.expressions)]
  const parts: ModelParts = { definition, events, actions, expressions }
  return [
    ...checkStructure(parts),
    ...checkLimits(parts, context),
    ...checkSyntax(expressions),
    ...checkDataTypes(parts),
    ...checkData(parts),
    ...checkResources(parts, context),
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
