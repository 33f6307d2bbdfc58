import type { Pe } from './parse.ts'

/** Section names of packers. */
const bySection: readonly (readonly [RegExp, string])[] = [
  [/^UPX\d/, 'UPX'],
  [/^\.?aspack|^\.adata/i, 'ASPack'],
  [/^\.MPRESS/i, 'MPRESS'],
  [/^\.petite/i, 'Petite'],
  [/^\.?nsp\d/i, 'NsPack'],
  [/^PEC2|^pec1/i, 'PECompact'],
  [/^\.themida|^\.winlice/i, 'Themida'],
  [/^\.vmp\d/i, 'VMProtect'],
  [/^\.enigma/i, 'Enigma'],
  [/^FSG!/, 'FSG'],
  [/^\.MEW|^MEW/, 'MEW'],
]

/** Guesses the packer by its traces in the file. Decides only whether code outside a program can be the unpacked one. */
export function guessPacker(file: Buffer, { sections, entry }: Pe, importCount: number, entropy: number): string {
  for (const [pattern, name] of bySection) if (sections.some((section) => pattern.test(section.name))) return name
  if (file.includes('UPX!')) return 'UPX with changed section names'
  const own = sections.find(
    ({ address, virtualSize, rawSize }) => entry >= address && entry < address + Math.max(virtualSize, rawSize),
  )
  if (
    sections.some(({ rawSize, virtualSize, flags }) => rawSize === 0 && virtualSize > 0 && (flags & 0x2000_0000) !== 0)
  )
    return 'unknown; it has an empty code section, like UPX'
  if (own && own === sections.at(-1) && sections.length > 1) return 'unknown; the entry point is in the last section'
  if (own && (own.flags & 0x8000_0000) !== 0) return 'unknown; the entry point is in a writable section'
  if (entropy > 7.2) return 'unknown; the file is compressed or encrypted'
  return importCount < 6 ? 'unknown; it has almost no imports' : 'none'
}
