import type { DetectorModelDefinition } from '../models/contract.ts'
import type { Row } from './simulate.ts'

/** Mermaid state diagram of a model; highlights the states visited in `rows`. */
export function diagram(definition: DetectorModelDefinition, rows: readonly Row[] = []): string {
  const ids = new Map(definition.states.map(({ stateName }, index) => [stateName, `s${index}`]))
  const visited = new Set(rows.flatMap(({ transitions }) => transitions.map(({ to }) => to)))
  const transitions = definition.states.flatMap(({ stateName, onInput }) =>
    (onInput?.transitionEvents ?? []).map(
      ({ eventName, condition, nextState }) =>
        `${ids.get(stateName)} --> ${ids.get(nextState)} : ${escapeText(`${eventName} [${condition}]`)}`,
    ),
  )
  const lines = [
    ...[...ids].map(([stateName, id]) => `state "${escapeText(stateName)}" as ${id}`),
    `[*] --> ${ids.get(definition.initialStateName)}`,
    ...transitions,
    ...(visited.size > 0 ? ['classDef visited stroke-width:3px'] : []),
    ...[...visited].map((stateName) => `class ${ids.get(stateName)} visited`),
  ]
  return ['stateDiagram-v2', ...lines.map((line) => `  ${line}`)].join('\n')
}

/** Encodes special characters of Mermaid. */
const escapeText = (text: string) =>
  text.replace(/[^\w .,()[\]$+*/=!&|'-]/g, (character) => `#${character.codePointAt(0)};`)
