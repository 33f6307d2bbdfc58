/** Converts an EC signature from the raw form of PKCS#11 (r || s) to DER. */
export function derOf(raw: Uint8Array): Buffer {
  const half = raw.length / 2
  const numbers = Buffer.concat([integer(raw.subarray(0, half)), integer(raw.subarray(half))])
  return Buffer.concat([header(0x30, numbers.length), numbers])
}

/** Converts an EC signature from DER to the raw form; undefined if it is malformed. */
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
  const sequence = content(0x30)
  if (!sequence || at + sequence.length !== der.length) return undefined
  const numbers: Buffer[] = []
  while (numbers.length < 2) {
    const number = content(2)
    if (!number) return undefined
    at += number.length
    const trimmed = Buffer.from(number).subarray(number.findIndex((byte) => byte !== 0))
    if (trimmed.length > half) return undefined
    numbers.push(Buffer.concat([Buffer.alloc(half - trimmed.length), trimmed]))
  }
  return at === der.length ? Buffer.concat(numbers) : undefined
}

/** DER integer: no leading zeros, except one that keeps it from being negative. */
function integer(number: Uint8Array): Buffer {
  let start = 0
  while (start < number.length - 1 && number[start] === 0) start++
  const trimmed = number.subarray(start)
  const content = (trimmed[0] ?? 0) > 0x7f ? Buffer.concat([Uint8Array.of(0), trimmed]) : trimmed
  return Buffer.concat([header(2, content.length), content])
}

const header = (tag: number, length: number) => Uint8Array.of(tag, ...(length < 128 ? [length] : [0x81, length]))
