import { sized } from '@icosa/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { PredictedEntity } from '../results.ts'
import { fold } from '../text/tokens.ts'
import { WorkBudget } from '../work.ts'
import { Matcher, type Sentence } from './matcher.ts'
import { type ParsedPattern, type Part, parsePattern } from './parse.ts'

interface Path {
  readonly at: number
  readonly entities: readonly PredictedEntity[]
}

const isWordAt = (text: string, at: number) => /[\p{L}\p{M}\p{N}_]/u.test(text[at] ?? '')
const skipped = (text: string, at: number) => at + (/^[\s,.;:!?]*/.exec(text.slice(at))?.[0].length ?? 0)

/** Yields all paths through a pattern: a simple matcher by backtracking, with exponential cost. */
function* paths(parts: readonly Part[], from: Path, sentence: Sentence): Generator<Path> {
  const [part, ...rest] = parts
  if (!part) yield from
  else for (const next of step(part, from, sentence)) yield* paths(rest, next, sentence)
}

function* step(part: Part, from: Path, sentence: Sentence): Generator<Path> {
  const { text, entities, ends, explicit } = sentence
  const { at } = from
  if (part.kind === 'joint') yield { ...from, at: skipped(text, at) }
  else if (part.kind === 'gap') {
    if (!isWordAt(text, at - 1) || !isWordAt(text, at)) yield { ...from, at: skipped(text, at) }
  } else if (part.kind === 'text') {
    if (fold(text).startsWith(part.folded, at)) yield { ...from, at: at + part.folded.length }
  } else if (part.kind === 'group') {
    for (const choice of part.choices) yield* paths(choice, from, sentence)
    if (part.optional) yield from
  } else {
    const { name, role } = part
    const afterEntity = (entity: PredictedEntity): Path => ({
      at: entity.start + entity.length,
      entities: [...from.entities, { ...entity, ...(role !== undefined && { role }) }],
    })
    const phrases = explicit.get(name)
    if (!phrases)
      for (const entity of entities) if (entity.name === name && entity.start === at) yield afterEntity(entity)
    const listed = phrases?.filter(({ start }) => start === at).map(({ end }) => end) ?? []
    const possible = listed.length > 0 ? listed : ends.filter((end) => end > at)
    if (phrases) for (const end of possible) yield afterEntity(entityAt(text, name, 'pattern.any', at, end))
  }
}

function bestByBacktracking({ parts, atBegin, atEnd }: ParsedPattern, sentence: Sentence) {
  const { text } = sentence
  const begin = skipped(text, 0)
  const end = Math.max(begin, text.replace(/[\s,.;:!?]+$/, '').length)
  const starts = [...text.matchAll(/(?<![\p{L}\p{M}\p{N}_])\S/gu)].map(({ index }) => index).filter((at) => at > begin)
  let best: { coverage: number; entities: readonly PredictedEntity[] } | undefined
  for (const start of atBegin ? [begin] : [begin, ...starts])
    for (const { at, entities } of paths(parts, { at: start, entities: [] }, sentence)) {
      const stop = Math.min(end, at)
      const coverage = end > begin && !(atEnd && stop < end) ? (stop - start) / (end - begin) : 0
      if (coverage > (best?.coverage ?? 0)) best = { coverage, entities }
    }
  return best
}

const entityAt = (
  text: string,
  name: string,
  kind: PredictedEntity['kind'],
  start: number,
  end: number,
): PredictedEntity => ({
  name,
  kind,
  type: name,
  start,
  length: end - start,
  text: text.slice(start, end),
  children: [],
  source: 'model',
})

/** Few words, so that patterns often match. */
const words = ['a', 'b', 'ab', 'to']
const { pattern } = fc.letrec<{ pattern: string; item: string }>((tie) => ({
  pattern: fc
    .array(tie('item'), { minLength: 1, maxLength: 4 })
    .chain((items) => fc.constantFrom(' ', ' ', '').map((space) => items.join(space))),
  item: fc.oneof(
    { depthSize: 'small', maxDepth: 3 },
    fc.constantFrom(...words, '{any}', '{any:role}', '{other}', '{city}', '{city:role}'),
    tie('pattern').map((inner) => `[${inner}]`),
    fc.tuple(tie('pattern'), tie('pattern')).map(([first, second]) => `(${first}|${second})`),
  ),
}))
const anchored = fc
  .tuple(fc.constantFrom('', '', '^'), pattern, fc.constantFrom('', '', '^'))
  .map((pieces) => pieces.join(''))

const sentences = fc
  .record({
    pieces: fc.array(fc.tuple(fc.constantFrom(...words, 'A', '...'), fc.constantFrom(' ', ' ', ', ', '')), {
      minLength: 1,
      maxLength: 6,
    }),
    cities: fc.array(fc.tuple(fc.nat(5), fc.nat(2)), { maxLength: 2 }),
    phrases: fc.array(fc.tuple(fc.nat(5), fc.nat(2)), { maxLength: 2 }),
  })
  .map(({ pieces, cities, phrases }): Sentence => {
    const text = pieces.flat().join('')
    const units = [...text.matchAll(/\w+|[^\w\s]/g)].map(({ index, 0: word }) => ({
      start: index,
      end: index + word.length,
    }))
    const spans = (ranges: readonly (readonly [number, number])[]) =>
      ranges.flatMap(([first, more]) => {
        const [start, end] = [units[first]?.start, units[first + more]?.end]
        return start === undefined || end === undefined ? [] : [{ start, end }]
      })
    return {
      text,
      entities: spans(cities).map(({ start, end }) => entityAt(text, 'city', 'list', start, end)),
      ends: units.map(({ end }) => end),
      explicit: new Map([
        ['any', spans(phrases)],
        ['other', []],
      ]),
    }
  })

test('the matcher finds the same as backtracking', () => {
  let matches = 0
  fc.assert(
    fc.property(anchored, sentences, (text, sentence) => {
      const parsed = parsePattern(text)
      const match = new Matcher(sentence, new WorkBudget()).best(parsed)
      if (match) matches++
      expect(match).toEqual(bestByBacktracking(parsed, sentence))
    }),
    { numRuns: sized(500, 50_000) },
  )
  expect(matches, 'matches are compared, too').toBeGreaterThan(50)
})
