/**
 * Translates a regular expression into Lua patterns, which have neither alternatives nor groups with quantifiers: one
 * pattern for each way through the expression, in the order in which they are tried. Position captures enclose the first
 * group. Letters are in lower case, as the text must be. Throws on syntax that rules do not use.
 */
export function luaPatterns(source: string): string[] {
  const reader = { source, at: 0, groups: 0 }
  const patterns = alternatives(reader)
  if (reader.at < source.length) throw unsupported(reader)
  return patterns.map((pattern) => pattern.toLowerCase())
}

interface Reader {
  readonly source: string
  at: number
  groups: number
}

/** Reads variants up to the end or the closing parenthesis. */
function alternatives(reader: Reader): string[] {
  const all: string[] = []
  let variants = ['']
  for (let next = reader.source[reader.at]; next !== undefined && next !== ')'; next = reader.source[reader.at]) {
    if (next === '|') {
      reader.at++
      all.push(...variants)
      variants = ['']
      continue
    }
    const parts = next === '(' ? group(reader) : [item(reader)]
    variants = variants.flatMap((variant) => parts.map((part) => variant + part))
  }
  return [...all, ...variants]
}

function group(reader: Reader): string[] {
  const isCapture = !reader.source.startsWith('(?', reader.at)
  if (!isCapture && !reader.source.startsWith('(?:', reader.at)) throw unsupported(reader)
  reader.at += isCapture ? 1 : 3
  const isFirst = isCapture && reader.groups++ === 0
  const variants = alternatives(reader)
  reader.at++
  if (reader.source[reader.at] === '?' && !isCapture) {
    reader.at++
    return [...variants, '']
  }
  if (/[*+?{]/.test(reader.source[reader.at] ?? '')) throw unsupported(reader)
  return isFirst ? variants.map((variant) => `()${variant}()`) : variants
}

/** One character or class with its quantifier. */
function item(reader: Reader): string {
  const { source } = reader
  const [text = ''] = /^(?:\\.|\[(?:\\.|[^\]\\])*\]|[^[\]{}*+?\\])/.exec(source.slice(reader.at)) ?? []
  if (text === '') throw unsupported(reader)
  reader.at += text.length
  const isAnchor = text === '^' || text === '$'
  const one =
    isAnchor || text === '.' ? text : text.startsWith('[') ? characterClass(text, reader) : character(text, reader)
  const [quantifier = ''] = /^(?:[*+?](?![?+])|\{\d+\})/.exec(source.slice(reader.at)) ?? []
  reader.at += quantifier.length
  if (isAnchor && quantifier !== '') throw unsupported(reader)
  return quantifier.startsWith('{') ? one.repeat(Number(quantifier.slice(1, -1))) : one + quantifier
}

const classes: Readonly<Record<string, string>> = { '\\w': 'a-z0-9_', '\\d': '0-9' }

const characterClass = (text: string, reader: Reader) =>
  text
    .replace(/\\[wd]/g, (name) => classes[name] as string)
    .replace(/\\([A-Za-z])/g, () => {
      throw unsupported(reader)
    })
    .replace(/\\(.)/g, '%$1')

function character(text: string, reader: Reader): string {
  if (!text.startsWith('\\')) return /\w/.test(text) ? text : `%${text}`
  const escaped = text.slice(1)
  if (classes[text] !== undefined) return `[${classes[text]}]`
  if (/[A-Za-z0-9]/.test(escaped)) throw unsupported(reader)
  return `%${escaped}`
}

const unsupported = ({ source, at }: Reader) =>
  new Error(`The regular expression ${source} has something at ${at} that HAProxy's Lua cannot match.`)
