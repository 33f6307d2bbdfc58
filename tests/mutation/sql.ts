/** Patterns in a statement and their replacements. Each match is a separate mutant. */
const mutations: readonly (readonly [RegExp, string])[] = [
  [/\band\b/g, 'or'],
  [/\bor\b/g, 'and'],
  [/ <= /g, ' < '],
  [/ >= /g, ' > '],
  [/ < /g, ' <= '],
  [/ > /g, ' >= '],
  [/(?<=\b(?:where|and|or|on|when) [\w."]+) = /g, ' <> '],
  [/ <> /g, ' = '],
  [/\bis null\b/g, 'is not null'],
  [/\bis not null\b/g, 'is null'],
  [/\bnot (?=exists|in |data|job|payload|development|found)/g, ''],
  [/ skip locked\b/g, ''],
  [/\bfor (no key )?update\b( skip locked)?|\bfor key share\b/g, ''],
  [/\bon conflict do nothing\b/g, ''],
  [/\bleast\(/g, 'greatest('],
  [/\bgreatest\(/g, 'least('],
  [/\bmin\(/g, 'max('],
  [/\bmax\(/g, 'min('],
  [/ \+ /g, ' - '],
  [/ - /g, ' + '],
  [/ desc\b/g, ''],
]

export interface SqlMutant {
  /** Character offset of the change. */
  readonly at: number
  readonly original: string
  readonly replacement: string
  readonly text: string
}

export function* sqlMutants(text: string): Iterable<SqlMutant> {
  for (const [pattern, replacement] of mutations)
    for (const { 0: original, index: at } of text.matchAll(pattern)) {
      const isComment = text.slice(text.lastIndexOf('\n', at) + 1, at).includes('--')
      if (isComment) continue
      yield { at, original, replacement, text: text.slice(0, at) + replacement + text.slice(at + original.length) }
    }
}
