import type { DetectorModelDefinition } from '../models/contract.ts'
import type { Row } from './simulate.ts'

/** The model as a Mermaid state diagram; with rows, the states that were visited stand out. */
export function diagram(definition: DetectorModelDefinition, rows: readonly Row[] = []): string {
  const ids = new Map(definition.states.map(({ stateName }, index) => [stateName, `s${index}`]))
  const visited = new Set(rows.flatMap(({ transitions }) => transitions.map(({ to }) => to)))
  const transitions = definition.states.flatMap(({ stateName, onInput }) =>
    (onInput?.transitionEvents ?? []).map(
      ({ eventName, condition, nextState }) =>
        `${ids.get(stateName)} --> ${ids.get(nextState)} : ${escaped(`${eventName} [${condition}]`)}`,
    ),
  )
  const lines = [
    ...[...ids].map(([stateName, id]) => `state "${escaped(stateName)}" as ${id}`),
    `[*] --> ${ids.get(definition.initialStateName)}`,
    ...transitions,
    ...(visited.size > 0 ? ['classDef visited stroke-width:3px'] : []),
    ...[...visited].map((stateName) => `class ${ids.get(stateName)} visited`),
  ]
  return ['stateDiagram-v2', ...lines.map((line) => `  ${line}`)].join('\n')
}

/** Mermaid reads these characters as its own; as numbers they are shown as they are. */
const escaped = (text: string) => text.replace(/[^\w .,()[\]$+*/=!&|'-]/g, (one) => `#${one.codePointAt(0)};`)
