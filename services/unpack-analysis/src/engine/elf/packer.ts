import type { Elf } from './parse.ts'

/** Guesses the packer by its traces in the file. Decides only whether code outside a program can be the unpacked one. */
export function guessElfPacker(file: Buffer, { loaded }: Elf, entropy: number): string {
  if (file.includes('UPX!')) return 'UPX'
  const isReserved = loaded.some(
    ({ fileSize, memorySize, flags }) => fileSize === 0 && memorySize > 0x1000 && flags !== 0,
  )
  const hasSections = file.readUInt16LE(60) > 0
  if (!hasSections && isReserved) return 'unknown; it has an empty segment and no sections, like UPX'
  if (loaded.some(({ flags }) => (flags & 3) === 3)) return 'unknown; code is in a writable segment'
  if (entropy > 7.2) return 'unknown; the file is compressed or encrypted'
  return 'none'
}
