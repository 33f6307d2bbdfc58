import type { Label } from './document.ts'
import type { Token } from './text/tokens.ts'

/** The tokens that a label covers; undefined, if it covers none. */
export function tokensOf(
  label: Pick<Label, 'startPos' | 'endPos'>,
  tokens: readonly Token[],
): { first: number; last: number } | undefined {
  const first = tokens.findIndex((token) => token.end > label.startPos)
  const last = tokens.findLastIndex((token) => token.start <= label.endPos)
  return first < 0 || last < first ? undefined : { first, last }
}

/** Labels with those inside them, whatever way they were given in. */
export const flattened = (labels: readonly Label[]): Label[] =>
  labels.flatMap((label) => [label, ...flattened(label.children ?? [])])

/** Those that do not overlap: of two that do, the longer one stays. */
export function disjoint<Value extends { first: number; last: number }>(spans: readonly Value[]): Value[] {
  const kept: Value[] = []
  for (const span of spans.toSorted((a, b) => b.last - b.first - (a.last - a.first) || a.first - b.first))
    if (!kept.some((other) => other.first <= span.last && span.first <= other.last)) kept.push(span)
  return kept.sort((a, b) => a.first - b.first)
}
