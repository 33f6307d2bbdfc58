import type { Part } from '../program.ts'
import { type Segment, segmentFlag, segmentType } from './parse.ts'

/** Segments, by what may be done with them. */
export function partsOf(segments: readonly Segment[]): Part[] {
  const seen = new Map<string, number>()
  return segments
    .filter(({ type }) => type === segmentType.load)
    .map(({ flags, address, memorySize, offset, fileSize }) => {
      const kind = flags & segmentFlag.execute ? '.text' : flags & segmentFlag.write ? '.data' : '.rodata'
      const count = seen.get(kind) ?? 0
      seen.set(kind, count + 1)
      const name = count === 0 ? kind : `${kind}${count}`
      return { name, address, virtualSize: memorySize, rawOffset: offset, rawSize: fileSize }
    })
}
