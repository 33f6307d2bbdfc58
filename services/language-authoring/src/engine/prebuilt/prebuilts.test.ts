import { expect, test } from 'vitest'
import { Prebuilts } from './prebuilts.ts'

const find = (
  text: string,
  names: readonly string[],
  culture = 'en-us',
  datetimeReference = new Date('2026-11-16T10:00:00Z'),
) =>
  new Prebuilts({ culture, prebuiltEntities: names.map((name) => ({ name, roles: [] })) })
    .find(text, { datetimeReference })
    .map(({ type, start, end, resolution }) => ({ type, text: text.slice(start, end), resolution }))

test('only prebuilt entities of the app are found', () => {
  expect(find('30 dollars', ['money'])).toEqual([
    { type: 'builtin.currency', text: '30 dollars', resolution: { value: '30', unit: 'Dollar' } },
  ])
  expect(find('30 dollars', ['age'])).toEqual([])
  expect(find('30 dollars', ['personName'])).toEqual([])
})

test('5pm is a time and never five picometres', () => {
  expect(find('at 5pm', ['dimension', 'datetimeV2']).map(({ type }) => type)).toEqual(['builtin.datetimeV2.time'])
  expect(find('at 5pm', ['dimension'])).toEqual([])
  expect(find('3 miles', ['dimension', 'datetimeV2']).map(({ type }) => type)).toEqual(['builtin.dimension'])
})

test('numbers are found inside others, but not inside addresses', () => {
  expect(find('30 dollars', ['money', 'number']).map(({ type, text }) => `${type} ${text}`)).toEqual([
    'builtin.currency 30 dollars',
    'builtin.number 30',
  ])
  expect(find('write to bob7@example.com', ['email', 'number']).map(({ type }) => type)).toEqual(['builtin.email'])
  expect(find('he is 5 years old', ['age', 'datetimeV2']).map(({ type }) => type)).toEqual(['builtin.age'])
})

test('tomorrow is relative to the reference', () => {
  const value = (reference: string) => find('tomorrow', ['datetimeV2'], 'en-us', new Date(reference))[0]?.resolution
  expect(value('2026-11-16T10:00:00Z')).toMatchObject({
    values: [{ timex: '2026-11-17', type: 'date', value: '2026-11-17' }],
  })
  expect(value('2015-02-28T23:59:00Z')).toMatchObject({ values: [{ timex: '2015-03-01' }] })
})

test.each([
  ['two and a half hours ago', 'datetime', '2026-11-16 07:30:00'],
  ['half an hour ago', 'datetime', '2026-11-16 09:30:00'],
  ['in 1.5 hours', 'datetime', '2026-11-16 11:30:00'],
  ['an hour and a half from now', 'datetime', '2026-11-16 11:30:00'],
  ['one and a half weeks ago', 'date', '2026-11-05'],
  ['two hours ago', 'datetime', '2026-11-16 08:00:00'],
])('fractions of hours and days: %s', (text, type, value) => {
  expect(find(text, ['datetimeV2'])).toMatchObject([
    { type: `builtin.datetimeV2.${type}`, text, resolution: { values: [{ type, value }] } },
  ])
})

test.each([
  ['en-us', 'go to the next page', 'next', 1, 'current'],
  ['en-us', 'the previous one', 'previous one', -1, 'current'],
  ['en-us', 'the last page', 'last', 0, 'end'],
  ['en-us', 'the last but one', 'the last but one', -1, 'end'],
  ['en-us', 'what is the second to last choice', 'the second to last', -1, 'end'],
  ['en-us', 'the third to last', 'third to last', -2, 'end'],
  ['en-us', 'antepenultimate', 'antepenultimate', -2, 'end'],
  ['en-us', 'the current page', 'current', 0, 'current'],
  ['es-es', 'la página siguiente', 'siguiente', 1, 'current'],
  ['es-es', 'el penúltimo', 'penúltimo', -1, 'end'],
  ['fr-fr', 'le dernier', 'dernier', 0, 'end'],
  ['pt-br', 'o anterior', 'anterior', -1, 'current'],
])('%s: a relative position is an ordinalV2 and not an ordinal: %s', (culture, sentence, text, offset, relativeTo) => {
  expect(find(sentence, ['ordinalV2', 'ordinal'], culture).filter(({ type }) => type !== 'builtin.ordinal')).toEqual([
    { type: 'builtin.ordinalV2.relative', text, resolution: { offset: String(offset), relativeTo } },
  ])
  expect(find(text.replace(/third to /, ''), ['ordinal'], culture)).toEqual([])
})

test('a position from the start is an ordinalV2, too', () => {
  expect(find('the 21st', ['ordinalV2'])).toEqual([
    { type: 'builtin.ordinalV2', text: '21st', resolution: { offset: '21', relativeTo: 'start' } },
  ])
})

test.each([
  ['es-es', 'veinte', '20'],
  ['fr-fr', 'vingt', '20'],
  ['pt-br', 'vinte', '20'],
  ['zh-cn', '二十', '20'],
  ['ja-jp', '二十', '20'],
])('%s: %s', (culture, text, value) => {
  expect(find(text, ['number'], culture)).toMatchObject([{ text, resolution: { value } }])
})

test('an app in another language finds language-independent entities', () => {
  for (const culture of ['hi-in', 'nl-nl', 'it-it'])
    expect(find('twenty a@b.com', ['number', 'email'], culture).map(({ type }) => type)).toEqual(['builtin.email'])
})
