/** Without what neither XML nor IPTC may hold. */
export const plainText = (text: string): string => text.toWellFormed().replace(/[^\P{Cc}\t\n\r]|[\ufffe\uffff]/gu, '')

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** A text as it stands in XML and HTML, between tags and in double quotes. */
export const escaped = (text: string): string => plainText(text).replace(/[&<>"]/g, (one) => entities[one] ?? '')
