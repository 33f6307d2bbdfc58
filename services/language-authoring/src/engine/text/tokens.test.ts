import fc from 'fast-check'
import { expect, test } from 'vitest'
import { tokenize } from './tokens.ts'

const texts = (text: string, culture: string) => tokenize(text, culture).map((token) => token.text)

test('words, numbers and each punctuation mark are tokens', () => {
  expect(texts("Book 2 seats, please: it's 10.5!", 'en-us')).toEqual([
    'Book',
    '2',
    'seats',
    ',',
    'please',
    ':',
    'it',
    "'s",
    '10',
    '.',
    '5',
    '!',
  ])
  expect(texts('l’avion à Genève', 'fr-fr')).toEqual(['l', '’avion', 'à', 'Genève'])
})

test('scripts without spaces are split, too', () => {
  expect(texts('我要订票', 'zh-cn')).toEqual(['我', '要', '订', '票'])
  expect(texts('明日の天気', 'ja-jp').length).toBeGreaterThan(1)
  expect(texts('สวัสดีครับ', 'th-th').length).toBeGreaterThan(1)
  expect(texts('книга на столе', 'ru-ru')).toEqual(['книга', 'на', 'столе'])
})

test('tokens of any text are in order and omit only spaces', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('en-us', 'zh-cn', 'ja-jp', 'ar-ar'),
      (text, culture) => {
        let at = 0
        for (const token of tokenize(text, culture)) {
          expect(text.slice(at, token.start).trim()).toBe('')
          expect(text.slice(token.start, token.end)).toBe(token.text)
          expect(token.end).toBeGreaterThan(token.start)
          at = token.end
        }
        expect(text.slice(at).trim()).toBe('')
      },
    ),
  )
})
