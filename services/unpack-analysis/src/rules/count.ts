/** Comments and strings, whose content declares nothing. */
const ignored = /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"(?:[^"\\\n]|\\.)*"/g
const declaration = /(?:^|\s)rule\s+[A-Za-z_]\w*/g

/**
 * Nesting depth of calls: 2 for `uint8(uint8(0))`. The parser of YARA-X takes three times as long for every further level, 20 s for
 * a dozen.
 */
export function callDepth(source: string): number {
  const open: boolean[] = []
  let [depth, maxDepth] = [0, 0]
  for (const [bracket] of source.replace(ignored, ' ').matchAll(/\w\s*\(|[()]/g)) {
    if (bracket === ')') depth -= open.pop() ? 1 : 0
    else {
      const isCall = bracket !== '('
      open.push(isCall)
      if (isCall) maxDepth = Math.max(maxDepth, ++depth)
    }
  }
  return maxDepth
}

export const countRules = (source: string) => source.replace(ignored, ' ').match(declaration)?.length ?? 0
