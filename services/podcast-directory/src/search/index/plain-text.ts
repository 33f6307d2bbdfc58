const entities = new Map(
  Object.entries({
    amp: '&',
    lt: '<',
    gt: '>',
    quot: '"',
    apos: "'",
    nbsp: ' ',
    ndash: '–',
    mdash: '—',
    hellip: '…',
    lsquo: '‘',
    rsquo: '’',
    ldquo: '“',
    rdquo: '”',
  }),
)

/** Text of HTML, on one line. */
export function plainText(html: string): string {
  if (!/[<&]/.test(html)) return html.replace(/\s+/g, ' ').trim()
  return html
    .replace(/<\/?[a-z!][^<>]*>/gi, ' ')
    .replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,8}));/gi, (whole, decimal, hex, name) =>
      name === undefined
        ? character(decimal ? Number(decimal) : Number.parseInt(hex, 16))
        : (entities.get(name) ?? whole),
    )
    .replace(/\s+/g, ' ')
    .trim()
}

const character = (code: number) =>
  code < 32 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? ' ' : String.fromCodePoint(code)
