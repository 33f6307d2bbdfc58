import { parseElf, segmentFlag } from '../engine/elf/parse.ts'
import { isElf, isPe } from '../engine/magic.ts'
import { parsePe } from '../engine/pe/parse.ts'
import { importSectionName } from '../engine/pe/rebuild.ts'
import type { CodeRange } from './code.ts'

/** Layout of a program of any format, as needed to generate rules. */
export interface Layout {
  readonly base: number
  readonly imageSize: number
  readonly code: readonly CodeRange[]
  /** Parts of an unpacked file that this service generated. */
  readonly generated: readonly { readonly offset: number; readonly size: number }[]
  /** Difference between image address and file offset. */
  shiftAt(offset: number): number
}

const executable = 0x2000_0000
const headersSize = 0x1000

export function layoutOf(file: Buffer): Layout | undefined {
  try {
    if (isElf(file)) return elfLayout(file)
    return isPe(file) ? peLayout(file) : undefined
  } catch {
    return undefined // texts are found in any file
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
    generated: [
      { offset: 0, size: headersSize },
      ...(imports ? [{ offset: imports.rawOffset, size: imports.rawSize }] : []),
    ],
    // In an unpacked file, offsets equal memory addresses.
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
      .map((segment) => ({
        offset: segment.offset,
        size: Math.min(segment.fileSize, file.length - segment.offset),
        shift: shiftOf(segment),
      })),
    generated: [{ offset: Math.min(content, file.length), size: Math.max(0, file.length - content) }],
    shiftAt(offset) {
      const segment = loaded.find(({ offset: start, fileSize }) => offset >= start && offset < start + fileSize)
      return segment ? shiftOf(segment) : 0
    },
  }
}
