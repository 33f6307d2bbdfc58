/** An 8-bit encoding of samples, by ITU-T G.711. */
export interface Law {
  readonly encode: (sample: number) => number
  readonly decode: (byte: number) => number
}

const bias = 0x84
const everyOther = 0x55

export const muLaw = lawOf(encodeMuLaw, decodeMuLaw)
export const aLaw = lawOf(encodeALaw, decodeALaw)

/** Uses lookup tables: a call encodes 8,000 samples a second. */
function lawOf(encode: Law['encode'], decode: Law['decode']): Law {
  const bytes = Uint8Array.from({ length: 65_536 }, (_, index) => encode(index - 32_768))
  const samples = Int16Array.from({ length: 256 }, (_, byte) => decode(byte))
  return { encode: (sample) => bytes[sample + 32_768] ?? 0, decode: (byte) => samples[byte] ?? 0 }
}

function encodeMuLaw(sample: number): number {
  const sign = sample < 0 ? 0x80 : 0
  const magnitude = Math.min(Math.abs(sample), 32_635) + bias
  const exponent = 24 - Math.clz32(magnitude) // 7 for the loudest
  const mantissa = (magnitude >> (exponent + 3)) & 0x0f
  return ~(sign | (exponent << 4) | mantissa) & 0xff
}

function decodeMuLaw(byte: number): number {
  const bits = ~byte & 0xff
  const magnitude = ((((bits & 0x0f) << 3) + bias) << ((bits >> 4) & 7)) - bias
  return bits & 0x80 ? -magnitude : magnitude
}

function encodeALaw(sample: number): number {
  const sign = sample < 0 ? 0 : 0x80
  const magnitude = sample < 0 ? -sample - 1 : sample
  const exponent = Math.max(0, 24 - Math.clz32(Math.max(magnitude, 1)))
  const mantissa = (magnitude >> (exponent === 0 ? 4 : exponent + 3)) & 0x0f
  return (sign | (exponent << 4) | mantissa) ^ everyOther
}

function decodeALaw(byte: number): number {
  const bits = byte ^ everyOther
  const exponent = (bits >> 4) & 7
  const middle = ((bits & 0x0f) << 4) + 8
  const magnitude = exponent === 0 ? middle : (middle + 0x100) << (exponent - 1)
  return bits & 0x80 ? magnitude : -magnitude
}
