/** A text in a file, in letters of one byte or of two. */
export interface FoundText {
  readonly text: string
  readonly isWide: boolean
}

/** Longer ones are cut: their beginning tells enough. */
const longest = 100

/** Texts of at least so many letters, each once. */
export function* textsIn(file: Uint8Array, shortest: number): Generator<FoundText> {
  const seen = new Set<string>()
  for (const { text, isWide } of runs(file, shortest)) {
    const cut = text.slice(0, longest)
    const key = `${isWide}${cut}`
    if (seen.has(key)) continue
    seen.add(key)
    yield { text: cut, isWide }
  }
}

const isLetter = (byte: number | undefined) => byte !== undefined && byte >= 0x20 && byte < 0x7f

function* runs(file: Uint8Array, shortest: number): Generator<FoundText> {
  let from = -1
  for (let at = 0; at <= file.length; at++) {
    if (isLetter(file[at])) {
      if (from < 0) from = at
      continue
    }
    if (from >= 0 && at - from >= shortest)
      yield { text: Buffer.from(file.subarray(from, at)).toString('latin1'), isWide: false }
    from = -1
  }
  for (let at = 0; at + 1 < file.length; at++) {
    if (!isLetter(file[at]) || file[at + 1] !== 0) continue
    let end = at
    while (isLetter(file[end]) && file[end + 1] === 0) end += 2
    if ((end - at) / 2 >= shortest)
      yield { text: Buffer.from(file.subarray(at, end)).toString('utf16le'), isWide: true }
    at = end - 1
  }
}
