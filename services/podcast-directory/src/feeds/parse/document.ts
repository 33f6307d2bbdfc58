/** A feed split into channel and items, still unparsed. */
export interface FeedDocument {
  /** The root element and the channel's own elements, as a document. */
  readonly channel: string
  /** Start of a document for items, with the feed's namespaces. */
  readonly opening: string
  readonly items: readonly string[]
  /** False if the feed is truncated, or has too many items. */
  readonly complete: boolean
}

export const closing = '</channel></rss>'

const edges = /<!\[CDATA\[|<!--|<item(?=[\s>/])|<\/item\s*>/gi

/**
 * Splits items by their tags, so that they can be parsed in small batches, and a broken one does not affect others. Drops
 * everything before the root, such as a document type with its entities.
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
      if (end < 0) break // unterminated, so the rest of the feed is lost
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
  const match = pattern.exec(text)
  const end = match ? text.indexOf('>', match.index) + 1 : 0
  return match && end > 0 ? { tag: text.slice(match.index, end), end } : undefined
}
