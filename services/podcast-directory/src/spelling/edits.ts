/** Words of other lengths are neither corrected nor suggested. */
export const canBeMisspelled = (word: string): boolean => word.length >= 3 && word.length <= 24 && !/\d/.test(word)

/** A word, and the word without each letter. Words that differ in one letter share one of these. */
export function spellingsOf(word: string): string[] {
  return [...new Set([word, ...without(word)])]
}

/** Also without any two letters, to match words with two edits. */
export function wideSpellingsOf(word: string): string[] {
  const once = without(word)
  return [...new Set([word, ...once, ...(word.length > 4 ? once.flatMap(without) : [])])]
}

const without = (word: string) => Array.from(word, (_, index) => word.slice(0, index) + word.slice(index + 1))

/** Damerau-Levenshtein distance. */
export function editsBetween(a: string, b: string): number {
  let [before, last] = [[] as number[], Array.from({ length: b.length + 1 }, (_, index) => index)]
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const least = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1))
      row.push(swapped ? Math.min(least, (before[j - 2] ?? 0) + 1) : least)
    }
    before = last
    last = row
  }
  return last[b.length] ?? 0
}
