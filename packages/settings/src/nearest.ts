/** Returns the name with the smallest edit distance, at most `max`. */
export function nearest(word: string, names: readonly string[], max: number): string | undefined {
  const ranked = names.map((name) => ({ name, distance: distanceOf(word, name) }))
  return ranked.filter(({ distance }) => distance <= max).sort((a, b) => a.distance - b.distance)[0]?.name
}

/** Damerau-Levenshtein distance: insertions, deletions, substitutions and swaps of neighbours. */
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

/** The cost is the product of two lengths. */
const maxComparedLength = 100

/** Returns the most similar name, ignoring case. */
export function meantBy(word: string, names: readonly string[]): string | undefined {
  const lower = names.map((name) => name.toLowerCase())
  const compared = word.toLowerCase().slice(0, maxComparedLength)
  const closest = nearest(compared, lower, Math.max(2, Math.floor(compared.length / 3)))
  return closest === undefined ? undefined : names[lower.indexOf(closest)]
}
