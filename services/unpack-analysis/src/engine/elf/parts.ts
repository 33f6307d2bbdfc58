import type { Part } from '../program.ts'
import { type Segment, segmentFlag, segmentType } from './parse.ts'

/** Names segments by their permissions. */
export function partsOf(segments: readonly Segment[]): Part[] {
  const counts = new Map<string, number>()
  return segments
    .filter(({ type }) => type === segmentType.load)
    .map(({ flags, address, memorySize, offset, fileSize }) => {
      const kind = flags & segmentFlag.execute ? '.text' : flags & segmentFlag.write ? '.data' : '.rodata'
      const count = counts.get(kind) ?? 0
      counts.set(kind, count + 1)
      const name = count === 0 ? kind : `${kind}${count}`
      return { name, address, virtualSize: memorySize, rawOffset: offset, rawSize: fileSize }
    })
}
