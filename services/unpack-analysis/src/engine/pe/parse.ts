import { limits } from '../limits.ts'
import { Malformed, OverLimit } from '../malformed.ts'

export interface Section {
  readonly name: string
  readonly virtualSize: number
  readonly address: number
  readonly rawSize: number
  readonly rawOffset: number
  readonly flags: number
}

export interface Directory {
  readonly address: number
  readonly size: number
}

export interface Pe {
  readonly bits: 32 | 64
  readonly isLibrary: boolean
  readonly entry: number
  readonly base: number
  readonly imageSize: number
  readonly headersSize: number
  readonly sectionAlignment: number
  /** Headers of the file, from the signature. */
  readonly headers: Buffer
  readonly sections: readonly Section[]
  readonly directories: readonly Directory[]
}

export const directory = {
  exports: 0,
  imports: 1,
  resources: 2,
  relocations: 5,
  tls: 9,
  boundImports: 11,
  iat: 12,
  net: 14,
}
const machines: Readonly<Record<number, 32 | 64>> = { 332: 32, 34404: 64 }
const sectionSize = 40

const headerAt = (file: Buffer) => file.readUInt32LE(0x3c)

/** Parses the headers, validating all numbers. */
export function parsePe(file: Buffer): Pe {
  const at = headerAt(file)
  if (at + 24 > file.length || file.toString('latin1', at, at + 4) !== 'PE\0\0')
    throw new Malformed('The file begins like a Windows program, but has no PE header.')
  const machine = file.readUInt16LE(at + 4)
  const bits = machines[machine]
  if (!bits)
    throw new Malformed(`The program is for machine type 0x${machine.toString(16)}: only x86 and x64 are read.`)
  const optional = at + 24
  const optionalSize = file.readUInt16LE(at + 20)
  const minSize = bits === 64 ? 112 : 96
  if (optionalSize < minSize || optional + optionalSize > file.length)
    throw new Malformed('The file ends within its PE header.')
  if (file.readUInt16LE(optional) !== (bits === 64 ? 0x20b : 0x10b))
    throw new Malformed('The PE header does not match its machine type.')
  const sections = sectionsOf(file, optional + optionalSize, file.readUInt16LE(at + 6))
  const sectionAlignment = file.readUInt32LE(optional + 32)
  const end = sections.reduce(
    (max, { address, virtualSize, rawSize }) => Math.max(max, address + (virtualSize || rawSize)),
    0,
  )
  const imageSize = Math.ceil(Math.max(file.readUInt32LE(optional + 56), end, 0x1000) / 0x1000) * 0x1000
  if (imageSize > limits.imageBytes)
    throw new OverLimit(
      `The program takes ${imageSize.toLocaleString('en')} bytes of memory; at most ${limits.imageBytes.toLocaleString('en')} are emulated.`,
    )
  const base = bits === 64 ? Number(file.readBigUInt64LE(optional + 24)) : file.readUInt32LE(optional + 28)
  if (base % 0x10000 !== 0 || base === 0 || base + imageSize > (bits === 64 ? 0x7000_0000_0000 : 0x7000_0000))
    throw new Malformed(`The program has the impossible load address 0x${base.toString(16)}.`)
  const pe = {
    bits,
    base,
    imageSize,
    headers: file.subarray(at, optional + optionalSize),
    sections,
    sectionAlignment,
    isLibrary: (file.readUInt16LE(at + 22) & 0x2000) !== 0,
    entry: file.readUInt32LE(optional + 16),
    headersSize: Math.min(file.readUInt32LE(optional + 60), file.length, imageSize),
    directories: directoriesOf(file, optional, optionalSize, bits),
  }
  if (pe.directories[directory.net]?.address)
    throw new Malformed('The program is a .NET assembly: it has no machine code to emulate.')
  if (pe.entry >= imageSize) throw new Malformed('The entry point is outside the program.')
  return pe
}

function sectionsOf(file: Buffer, at: number, count: number): Section[] {
  if (at + count * sectionSize > file.length)
    throw new Malformed(`The header claims ${count.toLocaleString('en')} sections, which exceed the file.`)
  if (count > limits.sections)
    throw new OverLimit(`The program has ${count.toLocaleString('en')} sections; at most ${limits.sections} are read.`)
  return Array.from({ length: count }, (_, index) => {
    const from = at + index * sectionSize
    return {
      name: file.toString('latin1', from, from + 8).replace(/\0.*$/s, ''),
      virtualSize: file.readUInt32LE(from + 8),
      address: file.readUInt32LE(from + 12),
      rawSize: file.readUInt32LE(from + 16),
      rawOffset: file.readUInt32LE(from + 20),
      flags: file.readUInt32LE(from + 36),
    }
  })
}

function directoriesOf(file: Buffer, optional: number, size: number, bits: 32 | 64): Directory[] {
  const from = optional + (bits === 64 ? 112 : 96)
  const claimed = file.readUInt32LE(from - 4)
  const count = Math.min(claimed, 16, Math.floor((optional + size - from) / 8))
  return Array.from({ length: count }, (_, index) => ({
    address: file.readUInt32LE(from + index * 8),
    size: file.readUInt32LE(from + index * 8 + 4),
  }))
}

/** The file as mapped in memory, before imports are resolved. */
export function imageOf(file: Buffer, pe: Pe): Buffer {
  const image = Buffer.alloc(pe.imageSize)
  if (pe.sectionAlignment < 0x1000) {
    // Such a file is mapped unchanged.
    file.copy(image, 0, 0, pe.imageSize)
    return image
  }
  file.copy(image, 0, 0, pe.headersSize)
  for (const { address, rawOffset, rawSize, virtualSize } of pe.sections) {
    const from = rawOffset - (rawOffset % 0x200) // as Windows rounds it
    const size = Math.min(rawSize, Math.ceil((virtualSize || rawSize) / 0x1000) * 0x1000)
    if (address < pe.imageSize && from < file.length)
      file.copy(image, address, from, Math.min(from + size, file.length))
  }
  return image
}

/** Reads a NUL-terminated text; undefined if there is none. */
export function textAt(image: Buffer, at: number, maxLength = 512): string | undefined {
  if (at < 0 || at >= image.length) return undefined
  const end = image.indexOf(0, at)
  return end < 0 || end - at > maxLength ? undefined : image.toString('latin1', at, end)
}
