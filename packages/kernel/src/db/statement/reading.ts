/** Keywords that occur only in statements that write or lock. */
const writing =
  /\b(?:insert|update|delete|merge|into|for\s+(?:key\s+)?share|nextval|setval|set_config|pg_notify|pg_(?:try_)?advisory\w*)\b/i
const reading = /^[\s(]*(?:select|with|values|table|show)\b/i
/** Literals, quoted names and comments, to be ignored. */
const asides = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\//g

/** Whether a statement only reads. Errs on the side of writing: no column of ours is called `update`. */
export function isReading(text: string): boolean {
  const bare = text.replace(asides, ' ')
  return reading.test(bare) && !bare.includes(';') && !writing.test(bare)
}
