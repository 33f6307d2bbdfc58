import { PNG } from 'pngjs'
import { describe, expect, test } from 'vitest'
import { translate } from '../liblouis/translate.ts'
import { display, dots, html, image, page, unicode } from './forms.ts'
import { CELLS_PER_LINE, dotCentre, FLAT, MAX_LINES, PAPER, type Picture, picture, RAISED } from './png.ts'

const sixDots = String.fromCharCode(...Array.from({ length: 64 }, (_, dots) => 0x2800 + dots))
const eightDots = String.fromCharCode(...Array.from({ length: 256 }, (_, dots) => 0x2800 + dots))
const sentence = translate('Fun Translations has something for everyone.').cells

function cellOfDots(item: string): string {
  if (!/^(none|\d+)$/.test(item)) return item
  const raised = item === 'none' ? [] : [...item].map(Number)
  return String.fromCharCode(raised.reduce((cell, dot) => cell | (1 << (dot - 1)), 0x2800))
}

/** Reads cells from a picture by the pixel at the centre of each dot. */
function readBack(png: Buffer, { lines, rows }: Pick<Picture, 'lines' | 'rows'>): string[] {
  const { data, width } = PNG.sync.read(png)
  const greyAt = ([x, y]: [number, number]) => data[4 * (y * width + x)]
  return lines.map((line, lineAt) =>
    String.fromCharCode(
      ...Array.from(line, (_, column) => {
        let cell = 0x2800
        for (let dot = 1; dot <= 2 * rows; dot++) {
          const grey = greyAt(dotCentre(column, lineAt, dot, rows))
          if (grey === RAISED) cell |= 1 << (dot - 1)
          else expect(grey).toBe(FLAT)
        }
        return cell
      }),
    ),
  )
}

describe('the five forms', () => {
  test('match the example of the original', () => {
    expect(display(sentence)).toBe(',fun ,transla;ns has "s?+ = "ey"o4\r\n')
    expect(dots(sentence).slice(0, 5)).toEqual(['6', '124', '136', '1345', 'none'])
    expect(unicode(sentence).slice(0, 5)).toEqual(['⠠', '⠋', '⠥', '⠝', '⠀'])
    expect(html(sentence).slice(0, 5)).toEqual(['&#x2820;', '&#x280b;', '&#x2825;', '&#x281d;', '&#x2800;'])
  })

  test.each([
    ['64 cells', sixDots],
    ['256 cells', eightDots],
    ['a sentence', sentence],
    ['three lines', translate('One.\nTwo.\r\n\r\nThree.').cells],
    ['no cells', ''],
  ])('agree with each other: %s', (_, cells) => {
    const expected = cells.split('')
    expect(unicode(cells)).toEqual(expected)
    expect(dots(cells).map(cellOfDots)).toEqual(expected)
    const characters = html(cells).map((item) =>
      item.replace(/^&#x([\da-f]+);$/, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16))),
    )
    expect(characters).toEqual(expected)
    expect(display(cells)).toHaveLength(cells.length + 2)
  })

  test('ASCII braille gives each of the 64 cells a sign of its own, letters in lower case', () => {
    const signs = display(sixDots).slice(0, -2)
    expect(new Set(signs).size).toBe(64)
    expect(signs).toBe(signs.toLowerCase())
    expect(display('⠁⠃⠉⠼⠲')).toBe('abc#4\r\n')
  })

  test('ASCII braille writes dot 7 as a capital and leaves dot 8 out', () => {
    expect(display('⡁⢁⣁')).toBe('AaA\r\n')
  })

  test('line breaks are items of their own, and only the display form ends with one', () => {
    const { cells } = translate('a\nb')
    expect(unicode(cells)).toEqual(['⠁', '\r', '\n', '⠰', '⠃'])
    expect(dots(cells)).toEqual(['1', '\r', '\n', '56', '12'])
    expect(image(cells)[1]).toBe('\r')
    expect(display(cells)).toBe('a\r\n;b\r\n')
  })
})

describe('images', () => {
  test.each([
    ['64 cells', sixDots, 3],
    ['256 cells', eightDots, 4],
  ])('show one cell each: %s', (_, cells, rows) => {
    const tags = image(cells)
    expect(tags).toHaveLength(cells.length)
    const decoded = tags.map((tag, at) => {
      const source = /^<img src='data:image\/png;base64,([^']+)' alt='([^']+)' width='24' height='(40|50)'>$/.exec(tag)
      expect(source?.[2]?.replace(/^dots? |blank| /g, '')).toBe(dots(cells)[at]?.replace('none', ''))
      return readBack(Buffer.from(source?.[1] ?? '', 'base64'), { lines: [cells.charAt(at)], rows })[0]
    })
    expect(decoded.join('')).toBe(cells)
  })

  test('are cached, and labelled with their dots', () => {
    const [first, second] = image('⠓⠓')
    expect(first).toBe(second)
    expect(image('⠀⠠⠋')[0]).toContain("alt='blank'")
    expect(image('⠀⠠⠋')[1]).toContain("alt='dot 6'")
    expect(image('⠀⠠⠋')[2]).toContain("alt='dots 1 2 4'")
  })

  test.each([
    ['64 cells', sixDots],
    ['256 cells', eightDots],
    ['a sentence', sentence],
    ['two pages', translate('The quick brown fox jumps over the lazy dog. '.repeat(40)).cells],
    ['three lines', translate('One.\nTwo.\n\nThree.').cells],
  ])('a picture of a whole text decodes to its cells: %s', (_, cells) => {
    const drawing = picture(cells)
    const decoded = readBack(drawing.png, drawing)
    expect(decoded).toEqual(drawing.lines)
    expect(Math.max(...decoded.map((line) => line.length))).toBeLessThanOrEqual(CELLS_PER_LINE)
    const withoutBreaks = (text: string) => text.replace(/[\r\n\u2800]/g, '')
    expect(withoutBreaks(decoded.join(''))).toBe(withoutBreaks(cells))
  })

  test('a picture has antialiased dots on white paper', () => {
    const { png, width, height } = picture('⠿')
    const { data } = PNG.sync.read(png)
    const greys = new Set(Array.from({ length: width * height }, (_, pixel) => data[4 * pixel]))
    expect(greys).toContain(PAPER)
    expect(greys).toContain(RAISED)
    expect([...greys].some((grey) => grey !== undefined && grey > RAISED && grey < PAPER)).toBe(true)
  })

  test('a picture that would be too large is refused with advice', () => {
    expect(() => picture('⠁\r\n'.repeat(MAX_LINES))).toThrow(/in parts/)
    expect(picture('⠁'.repeat(CELLS_PER_LINE * MAX_LINES)).lines).toHaveLength(MAX_LINES)
  })
})

describe('the page', () => {
  test('shows braille and speaks the text', () => {
    const fragment = page('⠁\r\n⠃', 'Tom & "Jerry" <b>', 'en-GB')
    expect(fragment).toContain('<p lang="en-Brai" dir="ltr" translate="no" aria-hidden="true">⠁<br>⠃</p>')
    expect(fragment).toContain('>Tom &amp; &quot;Jerry&quot; &lt;b&gt;</figcaption>')
    expect(fragment).toContain('lang="en-GB"')
  })

  test('escapes markup in the text and language', () => {
    const fragment = page('⠁', '<script>', '"><script>')
    expect(fragment).not.toContain('<script')
    expect(fragment.match(/</g)).toHaveLength(6)
  })
})
