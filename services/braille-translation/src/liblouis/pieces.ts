const LINE_BREAK = /\r\n|[\n\r\v\f\x85\u2028\u2029]/

// A space between digits may belong to one number. Chinese and Japanese have commas and full stops, no spaces.
const UP_TO_LAST_SPACE = /^.*(?:\s(?=\S)(?<!\d\s(?=\d))|[、。，！？；：])/su
const UP_TO_LAST_BLANK = /^.*\u2800(?=[^\u2800])/su
const INSIDE_CHARACTER = /^[\udc00-\udfff]|^\p{M}/u

export function lines(text: string): string[] {
  return text.split(LINE_BREAK)
}

/** Splits text that is too long for one call, between words where possible. */
export function textPieces(text: string, max: number): string[] {
  return pieces(text, max, UP_TO_LAST_SPACE)
}

export function cellPieces(cells: string, max: number): string[] {
  return pieces(cells, max, UP_TO_LAST_BLANK)
}

function pieces(text: string, max: number, upToBreak: RegExp): string[] {
  if (text.length <= max) return [text]
  const parts: string[] = []
  let start = 0
  while (text.length - start > max) {
    const window = text.slice(start, start + max)
    const end = start + (upToBreak.exec(window)?.[0].length ?? lengthOfCut(text, start, max))
    parts.push(text.slice(start, end))
    start = end
  }
  parts.push(text.slice(start))
  return parts
}

/** Length of a piece of an unbroken run: shorter, as that is no prose, and never inside an accented letter. */
function lengthOfCut(text: string, start: number, max: number): number {
  for (let length = max / 4; length > 0; length--) {
    if (!INSIDE_CHARACTER.test(text.slice(start + length, start + length + 2))) return length
  }
  return max / 4
}
