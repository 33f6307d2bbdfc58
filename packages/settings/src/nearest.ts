/** The name that takes the fewest changes, unless that is more than so many of them. */
export function nearest(word: string, names: readonly string[], most: number): string | undefined {
  const ranked = names.map((name) => ({ name, distance: distanceOf(word, name) }))
  return ranked.filter(({ distance }) => distance <= most).sort((a, b) => a.distance - b.distance)[0]?.name
}

/** How many letters have to be put in, left out, replaced or swapped with their neighbour. */
function distanceOf(from: string, to: string): number {
  let [last, previous]: [number[], number[]] = [[], Array.from({ length: to.length + 1 }, (_, column) => column)]
  for (let row = 1; row <= from.length; row++) {
    const current = [row]
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1]
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      current[column] = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped && row > 1 && column > 1 ? (last[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    ;[last, previous] = [previous, current]
  }
  return previous[to.length] ?? 0
}

/** Finding what is near costs the product of two lengths. */
const comparedLength = 100

/** The name that was perhaps meant by a word, in whichever case either is written. */
export function meantBy(word: string, names: readonly string[]): string | undefined {
  const lower = names.map((name) => name.toLowerCase())
  const compared = word.toLowerCase().slice(0, comparedLength)
  const near = nearest(compared, lower, Math.max(2, Math.floor(compared.length / 3)))
  return near === undefined ? undefined : names[lower.indexOf(near)]
}
