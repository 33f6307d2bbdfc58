import { limits } from '../limits.ts'
import { Malformed, OverLimit } from '../malformed.ts'

export interface Segment {
  readonly type: number
  readonly flags: number
  readonly offset: number
  readonly address: number
  readonly fileSize: number
  readonly memorySize: number
}

export interface Elf {
  /** Position-independent: addresses are relative to its base. */
  readonly isMovable: boolean
  readonly entry: number
  readonly segments: readonly Segment[]
  /** Segments that are loaded into memory. */
  readonly loaded: readonly Segment[]
  /** Address of the first loaded page. */
  readonly start: number
  /** Address behind the last loaded page. */
  readonly end: number
  readonly headersAt: number
}

export const segmentType = { load: 1, dynamic: 2, interpreter: 3, headers: 6 }
export const segmentFlag = { execute: 1, write: 2, read: 4 }
export const headerSize = 64
export const programHeaderSize = 56
const x64 = 62
const kinds = { executable: 2, shared: 3 }
const maxAddress = 0x7000_0000_0000
const page = 0x1000

/** Parses the headers, validating all numbers. */
export function parseElf(file: Buffer): Elf {
  if (file.length < headerSize) throw new Malformed('The file ends within its ELF header.')
  const machine = file.readUInt16LE(18)
  if (file[4] !== 2 || file[5] !== 1 || machine !== x64)
    throw new Malformed(`The Linux program is for machine type ${machine}: only x86-64 is emulated.`)
  const kind = file.readUInt16LE(16)
  if (kind !== kinds.executable && kind !== kinds.shared)
    throw new Malformed(
      `The ELF file is of type ${kind}: only executables and position-independent programs are emulated.`,
    )
  const headersAt = number(file, 32)
  const segments = segmentsOf(file, headersAt, file.readUInt16LE(56))
  const loaded = segments.filter(({ type, memorySize }) => type === segmentType.load && memorySize > 0)
  if (loaded.length === 0) throw new Malformed('The ELF file has no loadable segments.')
  const start = Math.min(...loaded.map(({ address }) => address - (address % page)))
  const end = Math.max(...loaded.map(({ address, memorySize }) => Math.ceil((address + memorySize) / page) * page))
  if (end > maxAddress || loaded.some(({ fileSize, memorySize }) => fileSize > memorySize))
    throw new Malformed('The ELF file has impossible segments.')
  if (end - start > limits.imageBytes)
    throw new OverLimit(
      `The program takes ${(end - start).toLocaleString('en')} bytes of memory; at most ${limits.imageBytes.toLocaleString('en')} are emulated.`,
    )
  const entry = number(file, 24)
  if (entry < start || entry >= end) throw new Malformed('The entry point is outside the program.')
  const isMovable = kind === kinds.shared
  if (!isMovable && start < 0x10000) throw new Malformed('The program has an impossible load address.')
  return { isMovable, entry, segments, loaded, start, end, headersAt }
}

/** Reads 64 bits, saturating at the largest exact number. */
export function number(bytes: Buffer, at: number): number {
  const value = bytes.readBigUInt64LE(at)
  return value > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(value)
}

function segmentsOf(file: Buffer, at: number, count: number): Segment[] {
  if (file.readUInt16LE(54) !== programHeaderSize || at + count * programHeaderSize > file.length)
    throw new Malformed(`The header claims ${count.toLocaleString('en')} segments, which exceed the file.`)
  if (count > limits.sections)
    throw new OverLimit(`The program has ${count.toLocaleString('en')} segments; at most ${limits.sections} are read.`)
  return Array.from({ length: count }, (_, index) => {
    const from = at + index * programHeaderSize
    return {
      type: file.readUInt32LE(from),
      flags: file.readUInt32LE(from + 4),
      offset: number(file, from + 8),
      address: number(file, from + 16),
      fileSize: number(file, from + 32),
      memorySize: number(file, from + 40),
    }
  })
}

/** The program as mapped in memory, from its first page. */
export function imageOf(file: Buffer, { loaded, start, end }: Elf): Buffer {
  const image = Buffer.alloc(end - start)
  for (const { offset, address, fileSize } of loaded)
    if (offset < file.length) file.copy(image, address - start, offset, Math.min(offset + fileSize, file.length))
  return image
}

export function interpreterOf(file: Buffer, { segments }: Elf): string | undefined {
  const segment = segments.find(({ type }) => type === segmentType.interpreter)
  return (
    segment &&
    file.toString('latin1', segment.offset, segment.offset + Math.min(segment.fileSize, 256)).replace(/\0.*$/s, '')
  )
}
