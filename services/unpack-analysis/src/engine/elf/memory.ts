import { limits } from '../limits.ts'
import { type Memory, readMemory } from '../memory/snapshot.ts'
import { type Elf, parseElf, segmentFlag } from './parse.ts'

const page = 0x1000
const magic = 0x464c457f
const headersRead = 0x8000

export interface FoundElf {
  readonly elf: Elf
  /** What to add to the addresses that its headers have. */
  readonly moved: number
}

/** The program in memory to which code at an address belongs, if its headers are there. */
export function elfAround(memory: Memory, target: number): FoundElf | undefined {
  let nearest: (FoundElf & { readonly at: number }) | undefined
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

/** To the end of the last page: packers put their last instructions behind the program's. */
const runsAt = ({ loaded }: Elf, address: number) =>
  loaded.some(
    (one) =>
      (one.flags & segmentFlag.execute) !== 0 &&
      address >= one.address &&
      address < Math.ceil((one.address + one.memorySize) / page) * page,
  )
