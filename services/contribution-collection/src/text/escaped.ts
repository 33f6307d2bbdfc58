/** Removes characters that XML and IPTC forbid. */
export const plainText = (text: string): string => text.toWellFormed().replace(/[^\P{Cc}\t\n\r]|[\ufffe\uffff]/gu, '')

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Escapes text for XML and HTML, as content or in double quotes. */
export const escaped = (text: string): string =>
  plainText(text).replace(/[&<>"]/g, (character) => entities[character] ?? '')
