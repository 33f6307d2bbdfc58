import { expect, test } from 'vitest'
import type { PredictedEntity } from '../results.ts'
import { textRules } from '../settings.ts'
import { emptyApp } from '../testing/corpus.ts'
import { TooCostly, WorkBudget } from '../work.ts'
import { parsePattern } from './parse.ts'
import { Patterns } from './patterns.ts'

function match(pattern: string, text: string, entities: PredictedEntity[] = [], explicit: string[] = []) {
  const app = emptyApp({
    patterns: [{ pattern, intent: 'i' }],
    patternAnyEntities: ['any', 'other'].map((name) => ({
      name,
      explicitList: name === 'any' ? explicit : [],
      roles: [],
    })),
  })
  const match = new Patterns(app, textRules(app)).match(text, entities, new WorkBudget())[0]
  return (
    match && {
      coverage: Math.round(match.coverage * 100) / 100,
      entities: match.entities.map((entity) => [entity.name, entity.text, entity.role]),
    }
  )
}

const whole = (...entities: unknown[]) => ({ coverage: 1, entities })

test.each([
  ['where is [the] (form|paper)', 'Where is the paper?', whole()],
  ['where is [the] (form|paper)', 'where is form', whole()],
  ['where is [the] (form|paper)', 'where is the letter', undefined],
  ['find email[s]', 'find emails', whole()],
  ['find email[s]', 'find email', whole()],
  ['find email[s]', 'find emailx', undefined],
  ['(put|add) it (on|to)[my][(to do|todo)]list', 'add it to my to do list', whole()],
  ['add {any} to [my] list', 'add milk and eggs to my list', whole(['any', 'milk and eggs', undefined])],
  ['{any} by {other}', 'the sea by jo smith', whole(['any', 'the sea', undefined], ['other', 'jo smith', undefined])],
  ['^help {any}^', 'please help me', undefined],
  ['help {any}', 'please help me', { coverage: 0.5, entities: [['any', 'me', undefined]] }],
  ['a [b [c]] d', 'a b d', whole()],
  ['a [b [c]] d', 'a b c d', whole()],
  ['a [b [c]] d', 'a c d', undefined],
])('%s against %s', (pattern, text, expected) => {
  expect(match(pattern, text)).toEqual(expected)
})

test('an entity of the sentence matches, and gets the role of the pattern', () => {
  const city = (text: string, start: number): PredictedEntity => ({
    name: 'city',
    kind: 'list',
    type: 'city',
    start,
    length: text.length,
    text,
    children: [],
    source: 'model',
  })
  const cities = [city('Rome', 9), city('Cairo', 17)]
  expect(match('fly from {city:from} to {city:to}', 'fly from Rome to Cairo', cities)).toEqual(
    whole(['city', 'Rome', 'from'], ['city', 'Cairo', 'to']),
  )
  expect(match('fly from {city:from} to {city:to}', 'fly from Rome to Oslo', cities.slice(0, 1))).toBeUndefined()
})

test('an explicit list keeps a value whole that the pattern would split', () => {
  const [pattern, text] = ['send {any} from {other}', 'send letters from home from bob']
  expect(match(pattern, text)).toEqual(whole(['any', 'letters', undefined], ['other', 'home from bob', undefined]))
  expect(match(pattern, text, [], ['letters from home'])).toEqual(
    whole(['any', 'letters from home', undefined], ['other', 'bob', undefined]),
  )
})

test.each(['a [b', 'a b]', 'a (b', '{x', 'a {} b', `${'['.repeat(20)}a${']'.repeat(20)}`])(
  '%s is refused with a reason',
  (pattern) => {
    expect(() => parsePattern(pattern)).toThrow(/the pattern/)
  },
)

function costOf(patterns: readonly string[], text: string): number {
  const app = emptyApp({
    patterns: patterns.map((pattern) => ({ pattern, intent: 'i' })),
    patternAnyEntities: [{ name: 'x', explicitList: [], roles: [] }],
  })
  let steps = 0
  const counting = Object.assign(new WorkBudget(), {
    spend(more: number) {
      steps += more
    },
  })
  new Patterns(app, textRules(app)).match(text, [], counting)
  return steps
}

test.each([
  ['many pattern.any', `${'{x} a '.repeat(20)}b`],
  ['pattern.any and nothing else', '{x}'.repeat(100)],
  ['options', `${'[a] '.repeat(60)}b`],
  ['nested options', `${'[{x} '.repeat(9)}b${']'.repeat(9)}`],
  ['nested alternatives', `${'({x} a|a {x} '.repeat(9)}b${')'.repeat(9)}`],
])('%s: the cost grows with the length of pattern and query, not with the number of paths', (_, pattern) => {
  for (const words of [60, 120, 240]) {
    const steps = costOf([pattern], `${'a '.repeat(words)}c`)
    expect(steps).toBeLessThan(4 * pattern.length * words)
  }
})

test('30 patterns of six pattern.any are matched, and a query over budget is refused', () => {
  const bomb = (count: number) => Array.from({ length: count }, (_, i) => `${'{x} a '.repeat(5)}{x} b${i}`)
  const app = (count: number) =>
    emptyApp({
      patterns: bomb(count).map((pattern) => ({ pattern, intent: 'i' })),
      patternAnyEntities: [{ name: 'x', explicitList: [], roles: [] }],
    })
  const ask = (count: number) =>
    new Patterns(app(count), textRules(app(count))).match('a '.repeat(245), [], new WorkBudget())
  expect(ask(30)).toEqual([])
  expect(() => ask(5_000)).toThrow(TooCostly)
})
