import type { Environment, Group } from './group.ts'
import { nearest } from './nearest.ts'

/** Explains variables that have our prefix but are unknown, with suggestions. */
export function unknownVariables(env: Environment, prefix: string, groups: readonly Group[]): string[] {
  const variables = groups.flatMap(({ settings, retired }) => [
    ...settings.map(({ variable }) => variable),
    ...Object.keys(retired),
  ])
  const unknown = Object.keys(env).filter((name) => name.startsWith(prefix) && !variables.includes(name))
  return unknown.map((name) => {
    const similar = nearest(name, variables, 3)
    return `${name} is not a setting${similar ? `: did you mean ${similar}?` : ', and nothing reads it.'}`
  })
}
