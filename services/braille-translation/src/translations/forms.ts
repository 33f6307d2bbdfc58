import { picture, rowsOf } from './png.ts'

// North American ASCII braille in the order of U+2800 to U+283F, letters in lower case.
const ASCII = ` a1b'k2l@cif/msp"e3h9o6r^djg>ntq,*5<-u8v.%[$+x!&;:4\\0z7(_?w]#y)=`

const BLANK = 0x2800
const SIX_DOTS = 0x3f
const DOT_7 = 0x40

const everyCell = Array.from({ length: 256 }, (_, dots) => dots)
const DISPLAY = everyCell.map(asciiOf)
const DOTS = everyCell.map((dots) => dotsOf(dots).join('') || 'none')
const UNICODE = everyCell.map((dots) => String.fromCharCode(BLANK + dots))
const HTML = everyCell.map((dots) => `&#x${(BLANK + dots).toString(16)};`)
const IMAGES = new Map<number, string[]>()

/** ASCII braille for a braille display or an embosser. Every line ends with CR LF, including the last. */
export function display(cells: string): string {
  return `${each(cells, DISPLAY).join('')}\r\n`
}

export function dots(cells: string): string[] {
  return each(cells, DOTS)
}

export function unicode(cells: string): string[] {
  return each(cells, UNICODE)
}

export function html(cells: string): string[] {
  return each(cells, HTML)
}

/** One self-contained `<img>` per cell, all of one height, so that they align. */
export function image(cells: string): string[] {
  const rows = rowsOf(cells)
  let images = IMAGES.get(rows)
  if (!images) {
    images = everyCell.slice(0, rows === 3 ? 64 : 256).map((cell) => imageOf(cell, rows))
    IMAGES.set(rows, images)
  }
  return each(cells, images)
}

/** A figure for a web page that shows the braille; a screen reader speaks the text instead of naming dots. */
export function page(cells: string, text: string, language: string): string {
  const [primary = 'und'] = language.split('-')
  const braille = cells.replace(/\r\n|[\r\n]/g, '<br>')
  return (
    `<figure class="braille">` +
    `<p lang="${escaped(primary)}-Brai" dir="ltr" translate="no" aria-hidden="true">${braille}</p>` +
    `<figcaption lang="${escaped(language)}" dir="auto" style="${VISUALLY_HIDDEN}">${escaped(text)}</figcaption>` +
    `</figure>`
  )
}

const VISUALLY_HIDDEN =
  'position:absolute;width:1px;height:1px;margin:-1px;overflow:hidden;clip-path:inset(50%);white-space:pre-wrap'

/** CR and LF are items of their own. */
function each(cells: string, forms: readonly string[]): string[] {
  const items = new Array<string>(cells.length)
  for (let at = 0; at < cells.length; at++) {
    items[at] = forms[cells.charCodeAt(at) - BLANK] ?? cells.charAt(at)
  }
  return items
}

/**
 * ASCII braille has 64 cells of six dots. In computer braille dot 7 marks a capital, so it makes the letter a capital;
 * embossers print that as the same six dots. Dot 8 has no sign and is dropped.
 */
function asciiOf(dots: number): string {
  const sign = ASCII.charAt(dots & SIX_DOTS)
  return dots & DOT_7 ? sign.toUpperCase() : sign
}

function dotsOf(dots: number): number[] {
  return [1, 2, 3, 4, 5, 6, 7, 8].filter((dot) => dots & (1 << (dot - 1)))
}

function imageOf(dots: number, rows: number): string {
  const { png, width, height } = picture(String.fromCharCode(BLANK + dots), rows)
  const raised = dotsOf(dots)
  const label = raised.length === 0 ? 'blank' : `${raised.length === 1 ? 'dot' : 'dots'} ${raised.join(' ')}`
  return `<img src='data:image/png;base64,${png.toString('base64')}' alt='${label}' width='${width}' height='${height}'>`
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}
