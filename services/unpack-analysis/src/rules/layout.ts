import { parseElf, segmentFlag } from '../engine/elf/parse.ts'
import { isElf, isPe } from '../engine/magic.ts'
import { parsePe } from '../engine/pe/parse.ts'
import { importSectionName } from '../engine/pe/rebuild.ts'
import type { CodeRange } from './code.ts'

/** What of a program the makers of rules must know, whatever its format. */
export interface Layout {
  readonly base: number
  readonly imageSize: number
  readonly code: readonly CodeRange[]
  /** Parts that this service has made, if it has unpacked the file. */
  readonly ours: readonly { readonly offset: number; readonly size: number }[]
  /** What to add to an offset for the address from the beginning of the image. */
  shiftAt(offset: number): number
}

const executable = 0x2000_0000
const headersSize = 0x1000

export function layoutOf(file: Buffer): Layout | undefined {
  try {
    if (isElf(file)) return elfLayout(file)
    return isPe(file) ? peLayout(file) : undefined
  } catch {
    return undefined // texts can be found in anything
  }
}

function peLayout(file: Buffer): Layout {
  const { sections, base, imageSize } = parsePe(file)
  const imports = sections.find(({ name }) => name === importSectionName)
  return {
    base,
    imageSize,
    code: sections
      .filter(({ flags }) => (flags & executable) !== 0)
      .map(({ rawOffset, rawSize, address }) => ({
        offset: rawOffset,
        size: Math.min(rawSize, file.length - rawOffset),
        shift: address - rawOffset,
      })),
    ours: [
      { offset: 0, size: headersSize },
      ...(imports ? [{ offset: imports.rawOffset, size: imports.rawSize }] : []),
    ],
    // In an unpacked file every byte lies where it lay in memory.
    shiftAt: () => 0,
  }
}

function elfLayout(file: Buffer): Layout {
  const { loaded, start, end } = parseElf(file)
  const content = Math.max(...loaded.map(({ offset, fileSize }) => offset + fileSize))
  const shiftOf = ({ address, offset }: { address: number; offset: number }) => address - start - offset
  return {
    base: start,
    imageSize: end - start,
    code: loaded
      .filter(({ flags }) => (flags & segmentFlag.execute) !== 0)
      .map((one) => ({
        offset: one.offset,
        size: Math.min(one.fileSize, file.length - one.offset),
        shift: shiftOf(one),
      })),
    ours: [{ offset: Math.min(content, file.length), size: Math.max(0, file.length - content) }],
    shiftAt(offset) {
      const home = loaded.find((one) => offset >= one.offset && offset < one.offset + one.fileSize)
      return home ? shiftOf(home) : 0
    },
  }
}
