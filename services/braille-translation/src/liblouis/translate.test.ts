import { Failure } from '@icosa/kernel'
import { describe, expect, test } from 'vitest'
import { seededRandom, sentenceMaker } from '../testing/sentences.ts'
import { binding, MOST_CHARACTERS } from './binding.ts'
import { backTranslate, translate } from './translate.ts'

const onlyBraille = /^(?:[\u2800-\u28ff]|\r\n)*$/

describe('text of any kind', () => {
  test('nothing is nothing', () => {
    expect(translate('')).toEqual({ cells: '', replaced: [] })
    expect(backTranslate('')).toBe('')
  })

  test('every kind of line break is one CR LF', () => {
    expect(translate('a\nb\r\nc\rd\u2028e').cells).toBe('⠁\r\n⠰⠃\r\n⠰⠉\r\n⠰⠙\r\n⠰⠑')
    expect(translate('\n').cells).toBe('\r\n')
    expect(backTranslate('⠁\r\n⠃⠥⠞')).toBe('a\nbut')
  })

  test('tabs and no-break spaces are blanks', () => {
    expect(translate('the\tcat\u00a0sat').cells).toBe('⠮⠀⠉⠁⠞⠀⠎⠁⠞')
  })

  test('characters without a shape are left out', () => {
    expect(translate('\0ca\u0007t\u007f \ufeffsat\u00ad').cells).toBe(translate('cat sat').cells)
    expect(translate('c\u200dat')).toEqual({ cells: '⠉⠁⠞', replaced: [] })
  })

  test('accents count the same, joined to their letter or after it', () => {
    expect(translate('cafe\u0301').cells).toBe(translate('café').cells)
    expect(translate('u\u0308ber', 'de-g0.utb').cells).toBe('⠳⠃⠑⠗')
  })

  test('braille in the text stays braille', () => {
    expect(translate('⠓⠑⣿').cells).toBe('⠓⠑⣿')
  })

  test('letters in disguise are written as the letters they are', () => {
    expect(translate('𝐇𝐞𝐥𝐥𝐨 ①')).toEqual({ cells: translate('Hello 1').cells, replaced: [] })
  })

  test('a letter whose accent cannot be written is written without, and reported', () => {
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
  ])('what cannot be written is marked with its code, and is reported: %s', (_, text, marked, replaced) => {
    expect(translate(text)).toEqual({ cells: translate(marked).cells, replaced })
    expect(backTranslate(translate(text).cells)).toBe(marked)
  })

  test('right-to-left text is read from its start by a table of its language', () => {
    const { cells, replaced } = translate('שלום עולם', 'he-IL.utb')
    expect(replaced).toEqual([])
    expect(cells).toBe('⠩⠇⠺⠍⠀⠫⠺⠇⠍')
  })

  test('no escape ever leaks, whatever the characters', () => {
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

  test('is cut between words and reads as if it were not', () => {
    const text = prose(20 * MOST_CHARACTERS)
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

  test('more cells come out than the buffer held', () => {
    expect(translate('é'.repeat(MOST_CHARACTERS)).cells).toBe('⠘⠌⠑'.repeat(MOST_CHARACTERS))
  })

  test('a character that spells itself with many letters makes the text longer than one call takes', () => {
    const { cells, replaced } = translate('㏂'.repeat(MOST_CHARACTERS))
    expect(replaced).toEqual([])
    expect(cells.length).toBeGreaterThanOrEqual(4 * MOST_CHARACTERS)
  })

  test('more than one call takes is refused instead of read past its end', () => {
    const [path = ''] = binding().tablePaths()
    expect(() =>
      binding()
        .open(path)
        .forward('a'.repeat(MOST_CHARACTERS + 1)),
    ).toThrow(RangeError)
  })
})

describe('back-translation', () => {
  test('returns the text', () => {
    const text = 'Hello World, it is "fine" at 10:30.'
    expect(backTranslate(translate(text).cells)).toBe(text)
    expect(backTranslate('⠮ ⠉⠁⠞')).toBe('the cat')
  })

  test('shows where a cell means nothing', () => {
    expect(backTranslate('⠓⠑⠇⠇⠕⠀⣿')).toBe('hello \ufffd')
  })

  test('leaves a text that looks like liblouis talking of unknown dots alone', () => {
    const text = 'a \\12/ b'
    expect(backTranslate(translate(text).cells)).toBe(text)
  })

  test('ends, and says what to do, where a table writes without end', () => {
    const endless = '⠣⠭⠈⠹⠀⠔⠺⠄⠙⠅⠖⠮⠼⠉⠁⠴⠋⠠⠇⠸⠇⠀⠔⠺⠞⠽⠼⠆⠑⠬⠀⠝⠝⠀⠍⠬⠭⠢⠄⠬⠧⠂⠰⠍⠡⠿⠝⠐⠍⠴⠾⠬⠭⠯⠇⠥⠀⠰⠭⠰⠫⠪⠯⠋⠧⠥'
    expect(() => backTranslate(endless, 'el.ctb')).toThrow(/choose another table/)
  })

  test('takes braille and nothing else', () => {
    expect(() => backTranslate('hello')).toThrow(Failure)
    expect(() => backTranslate('hello')).toThrow(/U\+2800 to U\+28FF/)
  })
})
