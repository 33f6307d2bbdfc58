/** A text in a file, in ASCII or UTF-16. */
export interface TextRun {
  readonly text: string
  readonly isWide: boolean
}

/** Longer texts are truncated. */
const maxLength = 100

/** Finds distinct texts of a minimum length. */
export function* textsIn(file: Uint8Array, minLength: number): Generator<TextRun> {
  const seen = new Set<string>()
  for (const { text, isWide } of runs(file, minLength)) {
    const truncated = text.slice(0, maxLength)
    const key = `${isWide}${truncated}`
    if (seen.has(key)) continue
    seen.add(key)
    yield { text: truncated, isWide }
  }
}

const isLetter = (byte: number | undefined) => byte !== undefined && byte >= 0x20 && byte < 0x7f

function* runs(file: Uint8Array, minLength: number): Generator<TextRun> {
  let from = -1
  for (let at = 0; at <= file.length; at++) {
    if (isLetter(file[at])) {
      if (from < 0) from = at
      continue
    }
    if (from >= 0 && at - from >= minLength)
      yield { text: Buffer.from(file.subarray(from, at)).toString('latin1'), isWide: false }
    from = -1
  }
  for (let at = 0; at + 1 < file.length; at++) {
    if (!isLetter(file[at]) || file[at + 1] !== 0) continue
    let end = at
    while (isLetter(file[end]) && file[end + 1] === 0) end += 2
    if ((end - at) / 2 >= minLength)
      yield { text: Buffer.from(file.subarray(at, end)).toString('utf16le'), isWide: true }
    at = end - 1
  }
}
