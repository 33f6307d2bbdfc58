/** Control characters, which neither XML nor the database accepts. */
const unwritable = /(?![\t\n\r])\p{Cc}/gu

/** Plain text on one line, truncated. */
export function line(text: string | undefined, limit: number): string {
  return cut(writable(text).replace(/\s+/g, ' ').trim(), limit)
}

/** Truncates HTML, never inside a tag or an entity. */
export function html(text: string | undefined, limit: number): string {
  const whole = writable(text).trim()
  if (whole.length <= limit) return whole
  const start = cut(whole, limit)
  const tag = start.lastIndexOf('<')
  return start.slice(0, tag > start.lastIndexOf('>') ? tag : start.length).replace(/&[^;\s]{0,10}$/, '')
}

/** Absolute HTTP URL; empty if invalid. */
export function address(text: string | undefined, base: string, limit = 2_000): string {
  const href = line(text, limit + 1)
  const url = href === '' ? null : URL.parse(href, base)
  return url && /^https?:$/.test(url.protocol) && url.href.length <= limit ? url.href : ''
}

const writable = (text = '') => text.replace(unwritable, '').toWellFormed()

/** Truncates at a character boundary. */
const cut = (text: string, limit: number) =>
  text.length <= limit
    ? text
    : text
        .slice(0, limit)
        .toWellFormed()
        .replace(/\ufffd$/, '')

/** Text of HTML. Tags must not contain '<', or matching would be quadratic. */
export function wordsOf(html: string): string {
  return html
    .replace(/<[^<>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}
