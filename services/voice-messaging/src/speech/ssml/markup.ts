/** An element of markup, or a run of text. */
export type Node = Element | string

export interface Element {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly Node[]
}

/** A syntax error with its position. */
export class MarkupError extends Error {
  constructor(message: string, at: number) {
    super(`${message} (at character ${at + 1})`)
  }
}

const maxDepth = 32
const nameAt = /[A-Za-z_][\w.:-]*/y
const attributeAt = /\s+([A-Za-z_][\w.:-]*)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y
const tagEndAt = /\s*(\/?)>/y
const textAt = /[^<]+/y
const commentAt = /<!--(?:(?!--)[\s\S])*-->/y
const declarationAt = /\s*<\?xml\s[^?<>]*\?>/y

/** Parses XML with one root, and without DTD, CDATA, processing instructions and custom entities. */
export function readMarkup(text: string): Element {
  let at = 0

  function next(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = at
    const match = pattern.exec(text)
    if (!match) return undefined
    at = pattern.lastIndex
    return match
  }
  function fail(message: string): never {
    throw new MarkupError(message, at)
  }

  function element(depth: number): Element {
    if (depth > maxDepth) fail(`elements are nested more than ${maxDepth} deep`)
    at++ // <
    const name = next(nameAt)?.[0] ?? fail('a < is not part of a tag: write &lt;')
    const attributes: Record<string, string> = Object.create(null)
    for (let match = next(attributeAt); match; match = next(attributeAt)) {
      const [, key = '', double, single] = match
      if (Object.hasOwn(attributes, key)) fail(`<${name}> has ${key} twice`)
      attributes[key] = unescaped(double ?? single ?? '', fail)
    }
    const end = next(tagEndAt) ?? fail(`<${name}> is not closed by >, or an attribute has no quotes`)
    return { name, attributes, children: end[1] ? [] : content(name, depth) }
  }

  function content(name: string, depth: number): Node[] {
    const children: Node[] = []
    for (;;) {
      const run = next(textAt)?.[0]
      if (run !== undefined) children.push(unescaped(run, fail))
      else if (next(commentAt)) continue
      else if (text.startsWith('</', at)) {
        at += 2
        const closed = next(nameAt)?.[0]
        if (closed !== name || !next(tagEndAt)) fail(`</${closed ?? ''}> comes where </${name}> should`)
        return children
      } else if (text.startsWith('<!', at) || text.startsWith('<?', at)) fail('only elements and text are allowed')
      else if (at >= text.length) fail(`<${name}> is never closed`)
      else children.push(element(depth + 1))
    }
  }

  const skipSpace = () => {
    while (next(/\s+/y) || next(commentAt));
  }
  next(declarationAt)
  skipSpace()
  if (text.startsWith('<!', at) || text.startsWith('<?', at))
    fail('a document type or a processing instruction is not allowed')
  if (text[at] !== '<') fail('there is text outside the root element')
  const root = element(1)
  skipSpace()
  if (at < text.length) fail(`something follows </${root.name}>`)
  return root
}

const entities = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
])

function unescaped(text: string, fail: (message: string) => never): string {
  return text.replace(/&(?:(\w+);|#(\d{1,7});|#x([\da-fA-F]{1,6});)?/g, (all, name, decimal, hex) => {
    if (name !== undefined) return entities.get(name) ?? fail(`the entity ${all} is unknown: write the character`)
    if (all === '&') fail('an & does not begin an entity: write &amp;')
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    const isCharacter = code <= 0x10ffff && (code >= 0x20 || code === 9 || code === 10 || code === 13)
    return isCharacter && (code < 0xd800 || code > 0xdfff)
      ? String.fromCodePoint(code)
      : fail(`${all} is not a character`)
  })
}

export const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
