const LINE_BREAK = /\r\n|[\n\r\v\f\x85\u2028\u2029]/

// A space with digits on both sides may belong to one number. Chinese and Japanese have commas and stops, no spaces.
const UP_TO_LAST_SPACE = /^.*(?:\s(?=\S)(?<!\d\s(?=\d))|[、。，！？；：])/su
const UP_TO_LAST_BLANK = /^.*\u2800(?=[^\u2800])/su
const INSIDE_CHARACTER = /^[\udc00-\udfff]|^\p{M}/u

export function lines(text: string): string[] {
  return text.split(LINE_BREAK)
}

/** Cuts text that is too long for one call, between words where there are any. */
export function textPieces(text: string, most: number): string[] {
  return pieces(text, most, UP_TO_LAST_SPACE)
}

export function cellPieces(cells: string, most: number): string[] {
  return pieces(cells, most, UP_TO_LAST_BLANK)
}

function pieces(text: string, most: number, upToBreak: RegExp): string[] {
  if (text.length <= most) return [text]
  const found: string[] = []
  let start = 0
  while (text.length - start > most) {
    const window = text.slice(start, start + most)
    const end = start + (upToBreak.exec(window)?.[0].length ?? lengthOfCut(text, start, most))
    found.push(text.slice(start, end))
    start = end
  }
  found.push(text.slice(start))
  return found
}

/** How far to cut a run with no end in sight: shorter, as nobody reads it, and never inside an accented letter. */
function lengthOfCut(text: string, start: number, most: number): number {
  for (let length = most / 4; length > 0; length--) {
    if (!INSIDE_CHARACTER.test(text.slice(start + length, start + length + 2))) return length
  }
  return most / 4
}
