/** What only stands in a statement that changes or locks something. */
const writing =
  /\b(?:insert|update|delete|merge|into|for\s+(?:key\s+)?share|nextval|setval|set_config|pg_notify|pg_(?:try_)?advisory\w*)\b/i
const reading = /^[\s(]*(?:select|with|values|table|show)\b/i
/** Texts, quoted names and comments say nothing about what a statement does. */
const asides = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\//g

/** Whether a statement only reads. In doubt it does not: no column of ours is called `update`. */
export function isReading(text: string): boolean {
  const bare = text.replace(asides, ' ')
  return reading.test(bare) && !bare.includes(';') && !writing.test(bare)
}
