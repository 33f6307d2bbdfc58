/** An element of markup, or a run of text. */
export type Node = Element | string

export interface Element {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly Node[]
}

/** What is wrong with markup, in words, and how far into it. */
export class MarkupError extends Error {
  constructor(message: string, at: number) {
    super(`${message} (at character ${at + 1})`)
  }
}

const deepest = 32
const nameAt = /[A-Za-z_][\w.:-]*/y
const attributeAt = /\s+([A-Za-z_][\w.:-]*)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y
const tagEndAt = /\s*(\/?)>/y
const textAt = /[^<]+/y
const commentAt = /<!--(?:(?!--)[\s\S])*-->/y
const declarationAt = /\s*<\?xml\s[^?<>]*\?>/y

/** Reads well-formed XML with one root, without a DTD, CDATA, processing instructions or entities of its own. */
export function readMarkup(text: string): Element {
  let at = 0

  function next(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = at
    const found = pattern.exec(text)
    if (!found) return undefined
    at = pattern.lastIndex
    return found
  }
  function wrong(message: string): never {
    throw new MarkupError(message, at)
  }

  function element(depth: number): Element {
    if (depth > deepest) wrong(`elements are nested more than ${deepest} deep`)
    at++ // <
    const name = next(nameAt)?.[0] ?? wrong('a < is not part of a tag: write &lt;')
    const attributes: Record<string, string> = Object.create(null)
    for (let found = next(attributeAt); found; found = next(attributeAt)) {
      const [, key = '', double, single] = found
      if (Object.hasOwn(attributes, key)) wrong(`<${name}> has ${key} twice`)
      attributes[key] = unescaped(double ?? single ?? '', wrong)
    }
    const end = next(tagEndAt) ?? wrong(`<${name}> is not closed by >, or an attribute has no quotes`)
    return { name, attributes, children: end[1] ? [] : content(name, depth) }
  }

  function content(name: string, depth: number): Node[] {
    const children: Node[] = []
    for (;;) {
      const run = next(textAt)?.[0]
      if (run !== undefined) children.push(unescaped(run, wrong))
      else if (next(commentAt)) continue
      else if (text.startsWith('</', at)) {
        at += 2
        const closed = next(nameAt)?.[0]
        if (closed !== name || !next(tagEndAt)) wrong(`</${closed ?? ''}> comes where </${name}> should`)
        return children
      } else if (text.startsWith('<!', at) || text.startsWith('<?', at)) wrong('only elements and text are allowed')
      else if (at >= text.length) wrong(`<${name}> is never closed`)
      else children.push(element(depth + 1))
    }
  }

  const between = () => {
    while (next(/\s+/y) || next(commentAt));
  }
  next(declarationAt)
  between()
  if (text.startsWith('<!', at) || text.startsWith('<?', at))
    wrong('a document type or a processing instruction is not allowed')
  if (text[at] !== '<') wrong('there is text outside the root element')
  const root = element(1)
  between()
  if (at < text.length) wrong(`something follows </${root.name}>`)
  return root
}

const entities = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
])

function unescaped(text: string, wrong: (message: string) => never): string {
  return text.replace(/&(?:(\w+);|#(\d{1,7});|#x([\da-fA-F]{1,6});)?/g, (all, name, decimal, hex) => {
    if (name !== undefined) return entities.get(name) ?? wrong(`the entity ${all} is unknown: write the character`)
    if (all === '&') wrong('an & does not begin an entity: write &amp;')
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    const isCharacter = code <= 0x10ffff && (code >= 0x20 || code === 9 || code === 10 || code === 13)
    return isCharacter && (code < 0xd800 || code > 0xdfff)
      ? String.fromCodePoint(code)
      : wrong(`${all} is not a character`)
  })
}

export const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
