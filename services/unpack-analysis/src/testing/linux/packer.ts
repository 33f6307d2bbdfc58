import { parseElf, programHeaderSize, segmentFlag, segmentType } from '../../engine/elf/parse.ts'
import type { Workshop } from '../build.ts'
import type { Stub } from '../stubs.ts'
import { elfTextOf } from './facts.ts'

const note = 4
const page = 0x1000
const up = (size: number) => Math.ceil(size / page) * page

/** Encrypts the code of a fixed-address program, and replaces a note with a stub. Never run: only emulated. */
export function packElfWith(workshop: Workshop, program: Buffer, stub: Stub, range = elfTextOf(program)): Buffer {
  const elf = parseElf(program)
  const home = elf.loaded.find(
    ({ address, fileSize }) => range.address >= address && range.address < address + fileSize,
  )
  if (!home || elf.isMovable) throw new Error('The program has no code at a fixed address.')
  const hex = (value: number) => `0x${value.toString(16)}`
  const [stubAt, offset] = [elf.end, up(program.length)]
  const code = workshop.assemble(stub.source, {
    TEXT: hex(range.address),
    SIZE: String(range.size),
    OEP: hex(elf.entry),
    STUB: hex(stubAt),
    FILTER: '0',
  })
  const file = Buffer.concat([program, Buffer.alloc(offset - program.length), code])
  const from = home.offset + range.address - home.address
  stub.cipher(file.subarray(from, from + range.size)).copy(file, from)
  file.writeBigUInt64LE(BigInt(stubAt), 24)
  const headerAt = (index: number) => elf.headersAt + index * programHeaderSize
  const free = elf.segments.findIndex(({ type }) => type === note)
  if (free < 0) throw new Error('The program has no note to replace by a stub.')
  file.writeUInt32LE(segmentType.load, headerAt(free))
  const numbers = [offset, stubAt, stubAt, code.length, code.length, page]
  for (const [index, value] of numbers.entries()) file.writeBigUInt64LE(BigInt(value), headerAt(free) + 8 + index * 8)
  const allPermissions = segmentFlag.read | segmentFlag.write | segmentFlag.execute
  for (const index of [free, elf.segments.indexOf(home)]) file.writeUInt32LE(allPermissions, headerAt(index) + 4)
  return file
}

/** Range of a packed program's stub, to be packed once more. */
export function stubOf(packed: Buffer) {
  const last = parseElf(packed)
    .loaded.toSorted((a, b) => a.address - b.address)
    .at(-1)
  return { address: last?.address ?? 0, size: last?.fileSize ?? 0 }
}
