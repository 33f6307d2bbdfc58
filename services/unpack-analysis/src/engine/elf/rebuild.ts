import type { Transition } from '../layers/layers.ts'
import { type Memory, readMemory } from '../memory/snapshot.ts'
import type { Rebuilt } from '../program.ts'
import { type Dynamic, dynamicOf } from './dynamic.ts'
import { elfAround, type MappedElf } from './memory.ts'
import { headerSize, programHeaderSize, type Segment, segmentFlag, segmentType } from './parse.ts'
import { partsOf } from './parts.ts'
import { sectionTable } from './sections.ts'

const page = 0x1000
const up = (size: number, to = page) => Math.ceil(size / to) * to

/** Rebuilds a program by its unpacked headers; without these, dumps memory. */
export function rebuildElf({ target, region, memory }: Transition): Rebuilt {
  const mapped = elfAround(memory, target)
  if (mapped) return byHeaders(memory, target, mapped)
  const dumped = [...memory].filter(([candidate]) => candidate.kind === 'image' || candidate === region)
  return dump(new Map(dumped), target)
}

function byHeaders(memory: Memory, target: number, { elf, moved }: MappedElf): Rebuilt {
  const { loaded } = elf
  const size = Math.max(headerSize, ...loaded.map(({ offset, fileSize }) => offset + fileSize))
  const file = Buffer.alloc(up(size, 8))
  for (const { address, offset, fileSize } of loaded) readMemory(memory, address + moved, fileSize).copy(file, offset)
  const image = readMemory(memory, elf.start + moved, elf.end - elf.start)
  const dynamic = dynamicOf(image, elf, moved)
  const offsetOf = (address: number) => {
    const at = address - moved
    const home = loaded.find(({ address: start, fileSize }) => at >= start - (start % page) && at < start + fileSize)
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

/** Writes every region as a segment at its address. */
function dump(memory: Memory, target: number): Rebuilt {
  const regions = [...memory].sort(([a], [b]) => a.start - b.start)
  let offset = up(headerSize + regions.length * programHeaderSize)
  const segments = regions.map(([{ start, size }]): Segment => {
    const containsEntry = target >= start && target < start + size
    const flags = segmentFlag.read | segmentFlag.write | (containsEntry ? segmentFlag.execute : 0)
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
  for (const [index, segment] of segments.entries()) {
    const at = headerSize + index * programHeaderSize
    file.writeUInt32LE(segment.type, at)
    file.writeUInt32LE(segment.flags, at + 4)
    const { offset: from, address, fileSize, memorySize } = segment
    const numbers = [from, address, address, fileSize, memorySize, page]
    for (const [place, value] of numbers.entries()) file.writeBigUInt64LE(BigInt(value), at + 8 + place * 8)
    regions[index]?.[1].copy(file, from)
  }
  const offsetOf = (address: number) => {
    const home = segments.find(({ address: start, fileSize }) => address >= start && address < start + fileSize)
    return home && home.offset + address - home.address
  }
  const complete = withHeaders(file, target, segments, undefined)
  return { file: complete, entry: target, parts: partsOf(segments), imports: [], offsetOf }
}

/** Sets the entry point and appends sections: without these, disassemblers show nothing. */
function withHeaders(file: Buffer, entry: number, segments: readonly Segment[], dynamic: Dynamic | undefined): Buffer {
  const table = sectionTable(segments, dynamic, file.length)
  file.writeBigUInt64LE(BigInt(entry), 24)
  file.writeBigUInt64LE(BigInt(table.at), 40)
  file.writeUInt16LE(64, 58)
  file.writeUInt16LE(table.count, 60)
  file.writeUInt16LE(table.count - 1, 62)
  return Buffer.concat([file, table.bytes])
}
