/** What a token answers for a signature by a curve, two numbers side by side, as openssl and certificates have it. */
export function derOf(raw: Uint8Array): Buffer {
  const half = raw.length / 2
  const numbers = Buffer.concat([integer(raw.subarray(0, half)), integer(raw.subarray(half))])
  return Buffer.concat([tagged(0x30, numbers.length), numbers])
}

/** The other way round; undefined if it is no such thing. */
export function rawOf(der: Uint8Array, half: number): Buffer | undefined {
  let at = 0
  const content = (tag: number): Uint8Array | undefined => {
    if (der[at] !== tag) return undefined
    let length = der[at + 1] ?? 0
    at += 2
    if (length === 0x81) length = der[at++] ?? 0
    else if (length > 0x7f) return undefined
    return at + length <= der.length ? der.subarray(at, at + length) : undefined
  }
  const both = content(0x30)
  if (!both || at + both.length !== der.length) return undefined
  const numbers: Buffer[] = []
  while (numbers.length < 2) {
    const number = content(2)
    if (!number) return undefined
    at += number.length
    const bare = Buffer.from(number).subarray(number.findIndex((byte) => byte !== 0))
    if (bare.length > half) return undefined
    numbers.push(Buffer.concat([Buffer.alloc(half - bare.length), bare]))
  }
  return at === der.length ? Buffer.concat(numbers) : undefined
}

/** Without zeros before it, but for the one that says that it is not negative. */
function integer(number: Uint8Array): Buffer {
  let start = 0
  while (start < number.length - 1 && number[start] === 0) start++
  const bare = number.subarray(start)
  const content = (bare[0] ?? 0) > 0x7f ? Buffer.concat([Uint8Array.of(0), bare]) : bare
  return Buffer.concat([tagged(2, content.length), content])
}

const tagged = (tag: number, length: number) => Uint8Array.of(tag, ...(length < 128 ? [length] : [0x81, length]))
