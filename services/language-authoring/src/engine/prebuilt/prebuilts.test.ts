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

test('only what the app has is found', () => {
  expect(find('30 dollars', ['money'])).toEqual([
    { type: 'builtin.currency', text: '30 dollars', resolution: { value: '30', unit: 'Dollar' } },
  ])
  expect(find('30 dollars', ['age'])).toEqual([])
  expect(find('30 dollars', ['personName'])).toEqual([])
})

test('5pm is a time and not five picometres, asked for times or not', () => {
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

test('tomorrow is counted from the reference', () => {
  const value = (reference: string) => find('tomorrow', ['datetimeV2'], 'en-us', new Date(reference))[0]?.resolution
  expect(value('2026-11-16T10:00:00Z')).toMatchObject({
    values: [{ timex: '2026-11-17', type: 'date', value: '2026-11-17' }],
  })
  expect(value('2015-02-28T23:59:00Z')).toMatchObject({ values: [{ timex: '2015-03-01' }] })
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

test('an app in a language that recognizers do not know finds what is written the same everywhere', () => {
  for (const culture of ['hi-in', 'nl-nl', 'it-it'])
    expect(find('twenty a@b.com', ['number', 'email'], culture).map(({ type }) => type)).toEqual(['builtin.email'])
})
