import type { Label } from './document.ts'
import type { Token } from './text/tokens.ts'

/** Returns the tokens that a label covers, if any. */
export function tokensOf(
  label: Pick<Label, 'startPos' | 'endPos'>,
  tokens: readonly Token[],
): { first: number; last: number } | undefined {
  const first = tokens.findIndex((token) => token.end > label.startPos)
  const last = tokens.findLastIndex((token) => token.start <= label.endPos)
  return first < 0 || last < first ? undefined : { first, last }
}

/** Returns labels and, recursively, their children. */
export const flattened = (labels: readonly Label[]): Label[] =>
  labels.flatMap((label) => [label, ...flattened(label.children ?? [])])

/** Removes overlaps; longer spans win. */
export function disjoint<Value extends { first: number; last: number }>(spans: readonly Value[]): Value[] {
  const selected: Value[] = []
  for (const span of spans.toSorted((a, b) => b.last - b.first - (a.last - a.first) || a.first - b.first))
    if (!selected.some((other) => other.first <= span.last && span.first <= other.last)) selected.push(span)
  return selected.sort((a, b) => a.first - b.first)
}
