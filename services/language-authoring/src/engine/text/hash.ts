/** 32-bit FNV-1a, optionally continuing an earlier hash. */
export function hash(text: string, from = 0x811c9dc5): number {
  let h = from
  for (let i = 0; i < text.length; i++) {
    h ^= text.charCodeAt(i)
    h = Math.imul(h, 0x01000193)
  }
  return h >>> 0
}

/** Finalizer, since the lowest bits of FNV are weak. */
export function mix(h: number): number {
  let x = h
  x = Math.imul(x ^ (x >>> 16), 0x7feb352d)
  x = Math.imul(x ^ (x >>> 15), 0x846ca68b)
  return (x ^ (x >>> 16)) >>> 0
}
