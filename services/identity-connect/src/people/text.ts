/** A line as a person typed it: composed characters, no blanks at the ends. Undefined if it is no line of text. */
export function lineOf(value: string, longest: number): string | undefined {
  // PostgreSQL stores neither NUL nor half a character; other control characters could break a mail's header.
  if (value.length > longest * 4 || !value.isWellFormed()) return undefined
  const line = value.normalize('NFC').trim()
  return line === '' || [...line].length > longest || /[\p{Cc}\u2028\u2029]/u.test(line) ? undefined : line
}
