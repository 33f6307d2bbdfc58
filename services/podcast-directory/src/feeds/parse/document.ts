/** A feed cut into the channel and its items, without having been parsed. */
export interface FeedDocument {
  /** The root element and the channel's own elements, as a document of their own. */
  readonly channel: string
  /** Opens a document that may hold any of the items; it has the feed's namespaces. */
  readonly opening: string
  readonly items: readonly string[]
  /** False if the feed breaks off, or has more items than are read. */
  readonly complete: boolean
}

export const closing = '</channel></rss>'

const edges = /<!\[CDATA\[|<!--|<item(?=[\s>/])|<\/item\s*>/gi

/**
 * Finds the items by their tags alone. Parsed a few at a time they need little memory, and a broken one costs only itself.
 * What stands before the root goes: a document type, and with it every entity that one might want expanded.
 */
export function documentOf(text: string, maxItems: number): FeedDocument | undefined {
  const root = tagAfter(text, 0, /<rss(?=[\s>])/gi)
  const channelTag = root && tagAfter(text, root.end, /<channel(?=[\s>])/gi)
  if (!root || !channelTag) return undefined
  const items: string[] = []
  const between: string[] = []
  let outside = channelTag.end
  let start = -1
  let complete = true
  edges.lastIndex = outside
  for (let edge = edges.exec(text); edge; edge = edges.exec(text)) {
    const [tag] = edge
    if (tag === '<![CDATA[' || tag === '<!--') {
      const end = text.indexOf(tag === '<!--' ? '-->' : ']]>', edge.index)
      if (end < 0) break // it never ends: so does the feed
      edges.lastIndex = end + 3
    } else if (tag.startsWith('</')) {
      if (start < 0) continue
      items.push(text.slice(start, edges.lastIndex))
      outside = edges.lastIndex
      start = -1
      if (items.length < maxItems) continue
      complete = !/<item(?=[\s>/])/i.test(text.slice(outside))
      break
    } else if (start < 0) {
      between.push(text.slice(outside, edge.index))
      start = edge.index
    }
  }
  const tail = start < 0 && complete ? text.slice(outside) : ''
  complete &&= /<\/channel\s*>/i.test(tail)
  const opening = `${root.tag}${channelTag.tag}`
  const channel = `${opening}${between.join('')}${tail.replace(/<\/channel\s*>[\s\S]*$/i, '')}${closing}`
  return { channel, opening, items, complete }
}

/** The first such tag, up to its end. */
function tagAfter(
  text: string,
  start: number,
  pattern: RegExp,
): { readonly tag: string; readonly end: number } | undefined {
  pattern.lastIndex = start
  const found = pattern.exec(text)
  const end = found ? text.indexOf('>', found.index) + 1 : 0
  return found && end > 0 ? { tag: text.slice(found.index, end), end } : undefined
}
