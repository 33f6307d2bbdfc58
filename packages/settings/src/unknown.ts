import type { Environment, Group } from './group.ts'
import { nearest } from './nearest.ts'

/** Explains variables that have our prefix but are unknown, with the probable intention. */
export function unknownVariables(env: Environment, prefix: string, groups: readonly Group[]): string[] {
  const variables = groups.flatMap(({ settings, retired }) => [
    ...settings.map(({ variable }) => variable),
    ...Object.keys(retired),
  ])
  const strange = Object.keys(env).filter((name) => name.startsWith(prefix) && !variables.includes(name))
  return strange.map((name) => {
    const near = nearest(name, variables, 3)
    return `${name} is not a setting${near ? `: did you mean ${near}?` : ', and nothing reads it.'}`
  })
}
