/** Normalises and trims a line of user input; undefined if it is not a line of text. */
export function lineOf(value: string, maxLength: number): string | undefined {
  // PostgreSQL stores neither NUL nor half a character; other control characters could break a mail's header.
  if (value.length > maxLength * 4 || !value.isWellFormed()) return undefined
  const line = value.normalize('NFC').trim()
  return line === '' || [...line].length > maxLength || /[\p{Cc}\u2028\u2029]/u.test(line) ? undefined : line
}
