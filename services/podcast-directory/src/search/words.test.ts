import { expect, test } from 'vitest'
import { questionOf } from './question/question.ts'
import { formsOf, tokensOf, wordsOf } from './words.ts'

test.each([
  ['The Listener’s guide, vol. 2', ['the', 'listener', 'guide', 'vol', '2']],
  ["don't rock'n'roll", ['dont', 'rocknroll']],
  ['Café naïve Ångström', ['cafe', 'naive', 'angstrom']],
  ['Ελλάδα', ['ελλαδα']],
  ['हिन्दी 한국어', ['हिन्दी', '한국어']],
  ['שָׁלוֹם', ['שלום']],
  ['東京都', ['東京', '京都']],
  ['猫', ['猫']],
  ['iPhone発売日', ['iphone', '発売', '売日']],
  ['🎙️ ... -- "" \u200f', []],
  ['x'.repeat(100), ['x'.repeat(64)]],
])('%j is split into words', (text, words) => {
  expect(wordsOf(text)).toEqual(words)
  expect(Array.from(tokensOf(text), ({ word }) => word)).toEqual(words)
})

test('a token has its position in the text', () => {
  const text = 'Ein “Überblick” 東京都'
  expect(Array.from(tokensOf(text), ({ start, end }) => text.slice(start, end))).toEqual([
    'Ein',
    'Überblick',
    '東京',
    '京都',
  ])
})

test.each([
  ['war', 'wars'],
  ['wars', 'war'],
  ['story', 'stories'],
  ['stories', 'story'],
  ['box', 'boxes'],
  ['boxes', 'box'],
  ['glass', 'glasses'],
  ['play', 'plays'],
])('%s is also searched as %s', (word, other) => expect(formsOf(word)).toEqual([word, other]))

test.each(['bus', 'analysis', 'über', '2024', 'tv'])('%s has no other form', (word) =>
  expect(formsOf(word)).toEqual([word]),
)

test.each([
  ['star wars', [['star'], ['wars']], []],
  ['"a new hope" film', [['a', 'new', 'hope'], ['film']], []],
  ['war -"world war" -peace', [['war']], [['world', 'war'], ['peace']]],
  ['the history of rome', [['history'], ['rome']], []],
  ['the who', [['the'], ['who']], []],
  ['e-mail', [['e'], ['mail']], []],
  ['東京都', [['東京', '京都']], []],
  ['"unclosed quote', [['unclosed', 'quote']], []],
  ['- -- "" " & | ! ( ) <-> :*', [], []],
  ['-only -these', [], [['only'], ['these']]],
])('%j is parsed', (text, required, excluded) => {
  const question = questionOf(text)
  expect(question.required.map(({ words }) => words)).toEqual(required)
  expect(question.excluded.map(({ words }) => words)).toEqual(excluded)
})
