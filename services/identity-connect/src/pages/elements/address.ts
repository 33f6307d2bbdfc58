/**
 * An address of the web as somebody registered it, or nothing: `javascript:` and the like would run in our page.
 * Plain http is let through for links, because development servers have nothing else.
 */
export function webAddress(
  text: string | undefined,
  schemes: readonly string[] = ['https:', 'http:'],
): string | undefined {
  const url = text === undefined ? null : URL.parse(text)
  return url && schemes.includes(url.protocol) ? url.href : undefined
}

/** A path of this server or an address of the web. */
export function linkTarget(text: string): string | undefined {
  return /^\/(?![/\\])/.test(text) ? text : webAddress(text)
}

/** One segment of a path, whatever it contains. */
export const segment = (text: string): string => encodeURIComponent(text.toWellFormed())
