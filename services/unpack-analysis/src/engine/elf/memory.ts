import { limits } from '../limits.ts'
import { type Memory, readMemory } from '../memory/snapshot.ts'
import { type Elf, parseElf, segmentFlag } from './parse.ts'

const page = 0x1000
const magic = 0x464c457f
const headersRead = 0x8000

export interface MappedElf {
  readonly elf: Elf
  /** Offset from the addresses in its headers. */
  readonly moved: number
}

/** Finds the program in memory that contains an address, by its headers. */
export function elfAround(memory: Memory, target: number): MappedElf | undefined {
  let nearest: (MappedElf & { readonly at: number }) | undefined
  for (const [{ start }, bytes] of memory)
    for (let from = 0; from + 4 <= bytes.length && start + from <= target; from += page) {
      const at = start + from
      if (bytes.readUInt32LE(from) !== magic || (nearest && nearest.at > at)) continue
      const elf = parsed(readMemory(memory, at, headersRead))
      const moved = elf?.isMovable ? at - elf.start : 0
      if (elf && at === elf.start + moved && runsAt(elf, target - moved)) nearest = { elf, moved, at }
    }
  return nearest
}

function parsed(headers: Buffer): Elf | undefined {
  try {
    const elf = parseElf(headers)
    return elf.loaded.every(({ offset, fileSize }) => offset + fileSize <= limits.imageBytes) ? elf : undefined
  } catch {
    return undefined
  }
}

/** Includes the rest of the last page, where packers place their last instructions. */
const runsAt = ({ loaded }: Elf, address: number) =>
  loaded.some(
    (segment) =>
      (segment.flags & segmentFlag.execute) !== 0 &&
      address >= segment.address &&
      address < Math.ceil((segment.address + segment.memorySize) / page) * page,
  )
