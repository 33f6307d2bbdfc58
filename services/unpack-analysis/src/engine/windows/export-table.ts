export interface ExportTableOptions {
  readonly slotSize: number
  readonly spareSlots: number
  readonly bits: 32 | 64
}

export interface ExportTable {
  readonly bytes: Buffer
  readonly codeAt: number
}

const peAt = 0x80
const headerSize = 0x400
const directorySize = 40

/**
 * Builds a library for programs that parse its headers themselves: a PE with an export table, sorted by name, and a slot for each
 * function. A slot contains a usual function prologue, for programs that look for breakpoints.
 */
export function exportTable(library: string, names: readonly string[], options: ExportTableOptions): ExportTable {
  const { slotSize, spareSlots, bits } = options
  const texts = Buffer.from(`${[library, ...names].join('\0')}\0`, 'latin1')
  const functions = headerSize + directorySize
  const pointers = functions + 4 * names.length
  const ordinals = pointers + 4 * names.length
  const textsAt = ordinals + 2 * names.length
  const codeAt = Math.ceil((textsAt + texts.length) / 0x1000) * 0x1000
  const size = Math.ceil((codeAt + slotSize * (names.length + spareSlots)) / 0x1000) * 0x1000
  const bytes = Buffer.alloc(size)
  writeHeaders(bytes, { bits, codeAt, exportsSize: textsAt + texts.length - headerSize })
  bytes.writeUInt32LE(textsAt, headerSize + 12)
  bytes.writeUInt32LE(1, headerSize + 16)
  for (const [at, value] of [names.length, names.length, functions, pointers, ordinals].entries())
    bytes.writeUInt32LE(value, headerSize + 20 + at * 4)
  let text = textsAt + library.length + 1
  for (const [index, name] of names.entries()) {
    bytes.writeUInt32LE(codeAt + index * slotSize, functions + index * 4)
    bytes.writeUInt32LE(text, pointers + index * 4)
    bytes.writeUInt16LE(index, ordinals + index * 2)
    text += name.length + 1
  }
  texts.copy(bytes, textsAt)
  // mov edi, edi; push ebp; mov ebp, esp
  const prologue = Buffer.from([0x8b, 0xff, 0x55, 0x8b, 0xec])
  for (let at = codeAt; at + slotSize <= size; at += slotSize) prologue.copy(bytes, at)
  return { bytes, codeAt }
}

interface Headers {
  readonly bits: 32 | 64
  readonly codeAt: number
  readonly exportsSize: number
}

function writeHeaders(bytes: Buffer, { bits, codeAt, exportsSize }: Headers): void {
  const pe = peAt
  const optional = pe + 24
  const directories = optional + (bits === 64 ? 112 : 96)
  bytes.write('MZ', 0, 'latin1')
  bytes.writeUInt32LE(pe, 0x3c)
  bytes.write('PE\0\0', pe, 'latin1')
  bytes.writeUInt16LE(bits === 64 ? 0x8664 : 0x14c, pe + 4)
  bytes.writeUInt16LE(1, pe + 6)
  bytes.writeUInt16LE(directories + 128 - optional, pe + 20)
  bytes.writeUInt16LE(0x2102, pe + 22)
  bytes.writeUInt16LE(bits === 64 ? 0x20b : 0x10b, optional)
  bytes.writeUInt32LE(0x1000, optional + 32)
  bytes.writeUInt32LE(0x1000, optional + 36)
  bytes.writeUInt32LE(bytes.length, optional + 56)
  bytes.writeUInt32LE(headerSize, optional + 60)
  bytes.writeUInt32LE(16, directories - 4)
  bytes.writeUInt32LE(headerSize, directories)
  bytes.writeUInt32LE(exportsSize, directories + 4)
  const section = directories + 128
  bytes.write('.text', section, 'latin1')
  bytes.writeUInt32LE(bytes.length - codeAt, section + 8)
  bytes.writeUInt32LE(codeAt, section + 12)
  bytes.writeUInt32LE(bytes.length - codeAt, section + 16)
  bytes.writeUInt32LE(codeAt, section + 20)
  bytes.writeUInt32LE(0x6000_0020, section + 36)
}

/** Sets the load address, which differs between programs. */
export function setBase(bytes: Buffer, bits: 32 | 64, base: number): Buffer {
  if (bits === 64) bytes.writeBigUInt64LE(BigInt(base), peAt + 24 + 24)
  else bytes.writeUInt32LE(base, peAt + 24 + 28)
  return bytes
}
