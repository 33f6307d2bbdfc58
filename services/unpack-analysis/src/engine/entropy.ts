/** Shannon entropy in bits per byte: close to 8 for compressed or encrypted data. */
export function entropyOf(bytes: Uint8Array): number {
  if (bytes.length === 0) return 0
  const counts = new Uint32Array(256)
  for (const byte of bytes) counts[byte] = (counts[byte] ?? 0) + 1
  let sum = 0
  for (const count of counts) if (count > 0) sum -= (count / bytes.length) * Math.log2(count / bytes.length)
  return Math.round(sum * 1000) / 1000
}

const points = 128

/** Entropy of equal parts of a file. */
export function entropyCurve(bytes: Uint8Array): number[] {
  const step = Math.max(256, Math.ceil(bytes.length / points))
  const count = Math.ceil(bytes.length / step)
  return Array.from({ length: count }, (_, index) => entropyOf(bytes.subarray(index * step, (index + 1) * step)))
}
