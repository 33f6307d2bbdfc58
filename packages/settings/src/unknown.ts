import type { Environment, Group } from './group.ts'
import { nearest } from './nearest.ts'

/** For each variable that looks like one of ours and is none: what may have been meant. */
export function unknownVariables(env: Environment, prefix: string, groups: readonly Group[]): string[] {
  const known = groups.flatMap(({ settings, retired }) => [
    ...settings.map(({ variable }) => variable),
    ...Object.keys(retired),
  ])
  const strange = Object.keys(env).filter((name) => name.startsWith(prefix) && !known.includes(name))
  return strange.map((name) => {
    const near = nearest(name, known, 3)
    return `${name} is not a setting${near ? `: did you mean ${near}?` : ', and nothing reads it.'}`
  })
}
