import { type Pe, parsePe } from './parse.ts'

/** Parses a program that the sample has mapped into memory itself. */
export function mappedPe(memory: Buffer, base: number, target: number): Pe | undefined {
  if (memory.toString('latin1', 0, 2) !== 'MZ') return undefined
  try {
    const pe = parsePe(memory)
    return pe.imageSize <= memory.length && target < base + pe.imageSize
      ? { ...pe, base, headers: rebased(pe, base) }
      : undefined
  } catch {
    return undefined
  }
}

function rebased({ headers, bits }: Pe, base: number): Buffer {
  const copy = Buffer.from(headers)
  if (bits === 64) copy.writeBigUInt64LE(BigInt(base), 24 + 24)
  else copy.writeUInt32LE(base, 24 + 28)
  return copy
}
