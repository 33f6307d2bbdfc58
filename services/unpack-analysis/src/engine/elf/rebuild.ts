import type { Transition } from '../layers/layers.ts'
import { type Memory, readMemory } from '../memory/snapshot.ts'
import type { Rebuilt } from '../program.ts'
import { type Dynamic, dynamicOf } from './dynamic.ts'
import { elfAround, type FoundElf } from './memory.ts'
import { headerSize, programHeaderSize, type Segment, segmentFlag, segmentType } from './parse.ts'
import { partsOf } from './parts.ts'
import { sectionTable } from './sections.ts'

const page = 0x1000
const up = (size: number, to = page) => Math.ceil(size / to) * to

/** A program from its memory: by its own headers, which packers unpack with it; else a picture of what lay there. */
export function rebuildElf({ target, region, memory }: Transition): Rebuilt {
  const found = elfAround(memory, target)
  if (found) return byHeaders(memory, target, found)
  const pieces = [...memory].filter(([one]) => one.kind === 'image' || one === region)
  return picture(new Map(pieces), target)
}

function byHeaders(memory: Memory, target: number, { elf, moved }: FoundElf): Rebuilt {
  const { loaded } = elf
  const size = Math.max(headerSize, ...loaded.map(({ offset, fileSize }) => offset + fileSize))
  const file = Buffer.alloc(up(size, 8))
  for (const { address, offset, fileSize } of loaded) readMemory(memory, address + moved, fileSize).copy(file, offset)
  const image = readMemory(memory, elf.start + moved, elf.end - elf.start)
  const dynamic = dynamicOf(image, elf, moved)
  const offsetOf = (address: number) => {
    const at = address - moved
    const home = loaded.find((one) => at >= one.address - (one.address % page) && at < one.address + one.fileSize)
    return home && Math.max(0, home.offset + at - home.address)
  }
  const imports = (dynamic?.symbols ?? []).filter(({ name, address }) => name !== '' && address === 0)
  return {
    file: withHeaders(file, target - moved, elf.segments, dynamic),
    entry: target - moved,
    parts: partsOf(loaded),
    imports: imports.map(({ name }) => name),
    offsetOf,
  }
}

/** Every region as a segment, at the addresses that it had. */
function picture(memory: Memory, target: number): Rebuilt {
  const pieces = [...memory].sort(([one], [other]) => one.start - other.start)
  let offset = up(headerSize + pieces.length * programHeaderSize)
  const segments = pieces.map(([{ start, size }]): Segment => {
    const holdsEntry = target >= start && target < start + size
    const flags = segmentFlag.read | segmentFlag.write | (holdsEntry ? segmentFlag.execute : 0)
    const segment = { type: segmentType.load, flags, offset, address: start, fileSize: size, memorySize: size }
    offset += size
    return segment
  })
  const file = Buffer.alloc(offset)
  file.write('\x7fELF\x02\x01\x01', 0, 'latin1')
  file.writeUInt16LE(2, 16)
  file.writeUInt16LE(62, 18)
  file.writeUInt32LE(1, 20)
  file.writeUInt32LE(headerSize, 32)
  file.writeUInt16LE(headerSize, 52)
  file.writeUInt16LE(programHeaderSize, 54)
  file.writeUInt16LE(segments.length, 56)
  for (const [index, one] of segments.entries()) {
    const at = headerSize + index * programHeaderSize
    file.writeUInt32LE(one.type, at)
    file.writeUInt32LE(one.flags, at + 4)
    const numbers = [one.offset, one.address, one.address, one.fileSize, one.memorySize, page]
    for (const [place, value] of numbers.entries()) file.writeBigUInt64LE(BigInt(value), at + 8 + place * 8)
    pieces[index]?.[1].copy(file, one.offset)
  }
  const offsetOf = (address: number) => {
    const home = segments.find((one) => address >= one.address && address < one.address + one.fileSize)
    return home && home.offset + address - home.address
  }
  const whole = withHeaders(file, target, segments, undefined)
  return { file: whole, entry: target, parts: partsOf(segments), imports: [], offsetOf }
}

/** With the entry point, and sections behind the segments: without any, disassemblers show nothing. */
function withHeaders(file: Buffer, entry: number, segments: readonly Segment[], dynamic: Dynamic | undefined): Buffer {
  const table = sectionTable(segments, dynamic, file.length)
  file.writeBigUInt64LE(BigInt(entry), 24)
  file.writeBigUInt64LE(BigInt(table.at), 40)
  file.writeUInt16LE(64, 58)
  file.writeUInt16LE(table.count, 60)
  file.writeUInt16LE(table.count - 1, 62)
  return Buffer.concat([file, table.bytes])
}
