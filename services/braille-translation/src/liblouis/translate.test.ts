import { Failure } from '@icosa/kernel'
import { describe, expect, test } from 'vitest'
import { seededRandom, sentenceMaker } from '../testing/sentences.ts'
import { binding, MAX_CHARACTERS } from './binding.ts'
import { backTranslate, translate } from './translate.ts'

const onlyBraille = /^(?:[\u2800-\u28ff]|\r\n)*$/

describe('text of any kind', () => {
  test('empty text is empty braille', () => {
    expect(translate('')).toEqual({ cells: '', replaced: [] })
    expect(backTranslate('')).toBe('')
  })

  test('every kind of line break becomes one CR LF', () => {
    expect(translate('a\nb\r\nc\rd\u2028e').cells).toBe('⠁\r\n⠰⠃\r\n⠰⠉\r\n⠰⠙\r\n⠰⠑')
    expect(translate('\n').cells).toBe('\r\n')
    expect(backTranslate('⠁\r\n⠃⠥⠞')).toBe('a\nbut')
  })

  test('tabs and no-break spaces are blanks', () => {
    expect(translate('the\tcat\u00a0sat').cells).toBe('⠮⠀⠉⠁⠞⠀⠎⠁⠞')
  })

  test('invisible characters are dropped', () => {
    expect(translate('\0ca\u0007t\u007f \ufeffsat\u00ad').cells).toBe(translate('cat sat').cells)
    expect(translate('c\u200dat')).toEqual({ cells: '⠉⠁⠞', replaced: [] })
  })

  test('composed and decomposed accents are the same', () => {
    expect(translate('cafe\u0301').cells).toBe(translate('café').cells)
    expect(translate('u\u0308ber', 'de-g0.utb').cells).toBe('⠳⠃⠑⠗')
  })

  test('braille in the text stays braille', () => {
    expect(translate('⠓⠑⣿').cells).toBe('⠓⠑⣿')
  })

  test('compatibility characters are written as the letters they stand for', () => {
    expect(translate('𝐇𝐞𝐥𝐥𝐨 ①')).toEqual({ cells: translate('Hello 1').cells, replaced: [] })
  })

  test('a letter whose accent cannot be written is written without it, and reported', () => {
    expect(translate('Đạt')).toEqual({ cells: translate('Đat').cells, replaced: ['ạ'] })
  })

  test.each([
    ['an emoji', 'a 😀 b', String.raw`a '\y1f600' b`, ['😀']],
    ['beside a letter', 'b😀', String.raw`b'\y1f600'`, ['😀']],
    ['a family', '👨‍👩‍👧', String.raw`'\y1f468''\y1f469''\y1f467'`, ['👨', '👩', '👧']],
    ['a lone surrogate', 'a \ud83d b', String.raw`a '\xfffd' b`, ['\ufffd']],
    ['a private character', '\ue020', String.raw`'\xfffd'`, ['\ufffd']],
    ['a noncharacter', '\uffff', String.raw`'\xfffd'`, ['\ufffd']],
    ['the last plane', '\u{e0100}\u{10ffff} cat\u{e01ef}', String.raw`'\xfffd' cat`, ['\ufffd']],
    ['right-to-left text', 'שם', String.raw`'\x05e9''\x05dd'`, ['ש', 'ם']],
  ])('a character that cannot be written is marked with its code, and reported: %s', (_, text, marked, replaced) => {
    expect(translate(text)).toEqual({ cells: translate(marked).cells, replaced })
    expect(backTranslate(translate(text).cells)).toBe(marked)
  })

  test('right-to-left text is read from its start by a table of its language', () => {
    const { cells, replaced } = translate('שלום עולם', 'he-IL.utb')
    expect(replaced).toEqual([])
    expect(cells).toBe('⠩⠇⠺⠍⠀⠫⠺⠇⠍')
  })

  test('no escape ever leaks into the cells', () => {
    const random = seededRandom(7)
    for (let round = 0; round < 300; round++) {
      const text = String.fromCodePoint(...Array.from({ length: 40 }, () => Math.floor(random() * 0x11_0000)))
      const { cells } = translate(`An ${text} end`)
      expect(cells).toMatch(onlyBraille)
      expect(cells.length).toBeLessThan(1000)
    }
  })
})

describe('long text', () => {
  const { 'a sentence': sentence = () => '' } = sentenceMaker(seededRandom(3))
  const prose = (length: number) => {
    let text = sentence()
    while (text.length < length) text += ` ${sentence()}`
    return text
  }

  test('is split between words without changing the result', () => {
    const text = prose(20 * MAX_CHARACTERS)
    const wordByWord = text
      .split(' ')
      .map((word) => translate(word).cells)
      .join('⠀')
    expect(translate(text).cells).toBe(wordByWord)
  })

  test('100,000 characters of prose', () => {
    const text = prose(100_000)
    const start = performance.now()
    const { cells, replaced } = translate(text)
    console.log(`${text.length} characters of prose: ${(performance.now() - start).toFixed(0)} ms`)
    expect(replaced).toEqual([])
    expect(backTranslate(cells)).toBe(text)
  })

  test.each([
    ['quotes, on which liblouis alone crashes', '"', '⠠⠶'],
    ['one long word', 'x', '⠭'],
    ['emoji', '😀', '⠄⠸⠡⠽⠼⠁'],
    ['accents', 'e\u0301', '⠘⠌⠑'],
  ])(
    '100,000 characters without a space: %s',
    (_, unit, cell) => {
      const times = 100_000 / unit.length
      const { cells } = translate(unit.repeat(times))
      expect(cells).toMatch(onlyBraille)
      expect(cells.split(cell).length - 1).toBeGreaterThan(0.99 * times)
    },
    60_000,
  )

  test('the output buffer grows', () => {
    expect(translate('é'.repeat(MAX_CHARACTERS)).cells).toBe('⠘⠌⠑'.repeat(MAX_CHARACTERS))
  })

  test('text that grows beyond the limit of a call when it is spelled out is split again', () => {
    const { cells, replaced } = translate('㏂'.repeat(MAX_CHARACTERS))
    expect(replaced).toEqual([])
    expect(cells.length).toBeGreaterThanOrEqual(4 * MAX_CHARACTERS)
  })

  test('a call over the limit is refused instead of reading past the end of the buffer', () => {
    const [path = ''] = binding().tablePaths()
    expect(() =>
      binding()
        .open(path)
        .forward('a'.repeat(MAX_CHARACTERS + 1)),
    ).toThrow(RangeError)
  })
})

describe('back-translation', () => {
  test('returns the text', () => {
    const text = 'Hello World, it is "fine" at 10:30.'
    expect(backTranslate(translate(text).cells)).toBe(text)
    expect(backTranslate('⠮ ⠉⠁⠞')).toBe('the cat')
  })

  test('replaces an undefined cell with U+FFFD', () => {
    expect(backTranslate('⠓⠑⠇⠇⠕⠀⣿')).toBe('hello \ufffd')
  })

  test('keeps text that looks like the notation of liblouis for undefined cells', () => {
    const text = 'a \\12/ b'
    expect(backTranslate(translate(text).cells)).toBe(text)
  })

  test('stops with advice where the output of a table is endless', () => {
    const endless = '⠣⠭⠈⠹⠀⠔⠺⠄⠙⠅⠖⠮⠼⠉⠁⠴⠋⠠⠇⠸⠇⠀⠔⠺⠞⠽⠼⠆⠑⠬⠀⠝⠝⠀⠍⠬⠭⠢⠄⠬⠧⠂⠰⠍⠡⠿⠝⠐⠍⠴⠾⠬⠭⠯⠇⠥⠀⠰⠭⠰⠫⠪⠯⠋⠧⠥'
    expect(() => backTranslate(endless, 'el.ctb')).toThrow(/choose another table/)
  })

  test('accepts only braille', () => {
    expect(() => backTranslate('hello')).toThrow(Failure)
    expect(() => backTranslate('hello')).toThrow(/U\+2800 to U\+28FF/)
  })
})
