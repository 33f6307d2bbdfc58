/** What may hold words that declare nothing: comments, texts and patterns. */
const quiet = /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"(?:[^"\\\n]|\\.)*"/g
const declaration = /(?:^|\s)rule\s+[A-Za-z_]\w*/g

/**
 * How deep calls stand in each other: `uint8(uint8(0))` is 2. The parser of YARA-X takes three times as long for every further one, 20 s
 * for a dozen.
 */
export function callDepth(source: string): number {
  const open: boolean[] = []
  let [depth, deepest] = [0, 0]
  for (const [bracket] of source.replace(quiet, ' ').matchAll(/\w\s*\(|[()]/g)) {
    if (bracket === ')') depth -= open.pop() ? 1 : 0
    else {
      const isCall = bracket !== '('
      open.push(isCall)
      if (isCall) deepest = Math.max(deepest, ++depth)
    }
  }
  return deepest
}

/** How many rules a source declares. */
export const countRules = (source: string) => source.replace(quiet, ' ').match(declaration)?.length ?? 0
