import { withoutDiacritics } from '../text/tokens.ts'
import type { ModelResult } from './recognizers.ts'

interface Position {
  readonly offset: number
  readonly relativeTo: 'current' | 'end'
}

/** Words for positions relative to the current one or the end, the most specific first, in all languages of the recognizers. */
const relative: readonly (readonly [RegExp, Position])[] = [
  [/antepenult|最後から[三3]番目/, { offset: -2, relativeTo: 'end' }],
  [/penult|to last|last but one|before the last|avant[- ](?:le |la )?dernier/, { offset: -1, relativeTo: 'end' }],
  [
    /(?:antes de|anterior a).*ultim|ultim[ao] mas um|最後から(?:[二2]番目|[一1]つ前)/,
    { offset: -1, relativeTo: 'end' },
  ],
  [/last|ultim|dernier|最後/, { offset: 0, relativeTo: 'end' }],
  [/next|proxim|siguiente|seguinte|prochain|suivant|次/, { offset: 1, relativeTo: 'current' }],
  [/previous|anterior|precedent|前/, { offset: -1, relativeTo: 'current' }],
  [/current|actual|actuel|atua/, { offset: 0, relativeTo: 'current' }],
  [/現在/, { offset: 0, relativeTo: 'current' }],
]

function positionOf(text: string): Position | undefined {
  const plain = withoutDiacritics(text.toLowerCase())
  return relative.find(([words]) => words.test(plain))?.[1]
}

const isRelative = ({ text }: ModelResult): boolean => positionOf(text) !== undefined

/** Selects ordinals from the start, such as "third". */
export const absoluteOrdinals = (results: readonly ModelResult[]): ModelResult[] =>
  results.filter((result) => !isRelative(result))

/** Resolves ordinals from the start, from the current one ("next") or from the end ("the last but one", "third to last"). */
export const positions = (text: string, results: readonly ModelResult[]): ModelResult[] =>
  fromEnd(text, results).map((result) => {
    const { offset, relativeTo } = result.position ?? { offset: result.resolution?.value, relativeTo: 'start' }
    const typeName = relativeTo === 'start' ? 'ordinalV2' : 'ordinalV2.relative'
    return { ...result, typeName, resolution: { offset: String(offset), relativeTo } }
  })

/** Joins "third" and "last" of "third to last". */
function fromEnd(text: string, results: readonly ModelResult[]): (ModelResult & { position?: Position | undefined })[] {
  return results.flatMap((result, i) => {
    const [before, after] = [results[i - 1], results[i + 1]]
    if (before && joins(text, before, result)) return []
    if (!after || !joins(text, result, after)) return [{ ...result, position: positionOf(result.text) }]
    const offset = 1 - Number(result.resolution?.value)
    return [
      {
        ...result,
        end: after.end,
        text: text.slice(result.start, after.end + 1),
        position: { offset, relativeTo: 'end' },
      },
    ]
  })
}

const joins = (text: string, first: ModelResult, second: ModelResult): boolean =>
  !isRelative(first) &&
  second.text.toLowerCase() === 'last' &&
  /^\s+(?:to|from)\s+(?:the\s+)?$/i.test(text.slice(first.end + 1, second.start))
