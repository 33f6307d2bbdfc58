/** What neither XML nor the database takes: control characters, halves of characters. */
const unwritable = /(?![\t\n\r])\p{Cc}/gu

/** Plain text on one line, at most so long. */
export function line(text: string | undefined, limit: number): string {
  return cut(writable(text).replace(/\s+/g, ' ').trim(), limit)
}

/** HTML as it is, at most so long and never ending inside a tag or an entity. */
export function html(text: string | undefined, limit: number): string {
  const whole = writable(text).trim()
  if (whole.length <= limit) return whole
  const start = cut(whole, limit)
  const tag = start.lastIndexOf('<')
  return start.slice(0, tag > start.lastIndexOf('>') ? tag : start.length).replace(/&[^;\s]{0,10}$/, '')
}

/** An address of the web, made absolute; empty if it is none. */
export function address(text: string | undefined, base: string, limit = 2_000): string {
  const given = line(text, limit + 1)
  const url = given === '' ? null : URL.parse(given, base)
  return url && /^https?:$/.test(url.protocol) && url.href.length <= limit ? url.href : ''
}

const writable = (text = '') => text.replace(unwritable, '').toWellFormed()

/** Never through the middle of a character. */
const cut = (text: string, limit: number) =>
  text.length <= limit
    ? text
    : text
        .slice(0, limit)
        .toWellFormed()
        .replace(/\ufffd$/, '')

/** The words of a piece of HTML. A tag holds no '<': otherwise each would be looked for up to the end. */
export function wordsOf(html: string): string {
  return html
    .replace(/<[^<>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}
