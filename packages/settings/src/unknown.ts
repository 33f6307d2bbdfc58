import type { Environment, Group } from './group.ts'

/** For each variable that looks like one of ours and is none: what may have been meant. */
export function unknownVariables(env: Environment, prefix: string, groups: readonly Group[]): string[] {
  const known = groups.flatMap(({ settings, retired }) => [
    ...settings.map(({ variable }) => variable),
    ...Object.keys(retired),
  ])
  const strange = Object.keys(env).filter((name) => name.startsWith(prefix) && !known.includes(name))
  return strange.map((name) => {
    const near = nearest(name, known)
    return `${name} is not a setting${near ? `: did you mean ${near}?` : ', and nothing reads it.'}`
  })
}

function nearest(name: string, known: readonly string[]): string | undefined {
  const most = 3
  const ranked = known.map((one) => ({ one, distance: distanceOf(name, one) }))
  return ranked.filter(({ distance }) => distance <= most).sort((a, b) => a.distance - b.distance)[0]?.one
}

/** How many letters must be put in, taken out or changed to make one word of the other. */
function distanceOf(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let i = 1; i <= from.length; i++) {
    const next = [i]
    for (let j = 1; j <= to.length; j++) {
      const changed = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1)
      next.push(Math.min(changed, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}
