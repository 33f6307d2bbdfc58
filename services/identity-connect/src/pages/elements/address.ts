/**
 * Returns a registered URL if its scheme is allowed: `javascript:` and the like would run in our page. Plain http is allowed
 * for links because of development servers.
 */
export function webAddress(
  text: string | undefined,
  schemes: readonly string[] = ['https:', 'http:'],
): string | undefined {
  const url = text === undefined ? null : URL.parse(text)
  return url && schemes.includes(url.protocol) ? url.href : undefined
}

/** Accepts a path of this server or a web URL. */
export function linkTarget(text: string): string | undefined {
  return /^\/(?![/\\])/.test(text) ? text : webAddress(text)
}

/** Escapes a path segment. */
export const segment = (text: string): string => encodeURIComponent(text.toWellFormed())
