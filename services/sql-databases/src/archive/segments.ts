import type { Mark } from './host-store.ts'
import type { Lsn } from './lsn.ts'

/** Bytes of the log that are to be kept, and where they belong. */
export interface Unkept {
  readonly start: Lsn
  readonly bytes: Buffer
  readonly sentAt: Date
  /** To be told once they are kept. */
  done(): void
}

/** A file of the log as it fills. */
interface Segment {
  readonly start: Lsn
  readonly bytes: Buffer
  readonly sentAt: Date
  filled: number
  kept: number
  pieces: number
}

/** So many pieces of a file are put together, though it is not full: a quiet server fills one in days. */
const mostPieces = 60

/**
 * The log as it arrives, from the beginning of a file of it on. What is not yet kept can be asked for at any time; of a file
 * that is full, all of it once more, so that it lies in one piece.
 */
export function receivedSegments(from: Lsn, segmentBytes: number, firstSentAt: Date) {
  const startSegment = (start: Lsn, sentAt: Date): Segment => ({
    start,
    bytes: Buffer.alloc(segmentBytes),
    sentAt,
    filled: 0,
    kept: 0,
    pieces: 0,
  })
  let segments = [startSegment(from, firstSentAt)]
  let mark: Mark | undefined
  const last = () => segments.at(-1) as Segment
  const end = () => last().start + BigInt(last().filled)
  /** What begins after a mark was committed after it. */
  const sentAt = (start: Lsn, otherwise: Date) => (mark && mark.end <= start ? mark.at : otherwise)

  return {
    end,
    /** How much is not kept yet. */
    waiting: () => segments.reduce((sum, { filled, kept }) => sum + filled - kept, 0),
    marked(next: Mark) {
      mark = next
    },
    add(start: Lsn, bytes: Buffer): void {
      if (start !== end()) throw new Error(`The log goes on at ${start} instead of ${end()}.`)
      for (let taken = 0; taken < bytes.length; ) {
        if (last().filled === segmentBytes) segments.push(startSegment(end(), sentAt(end(), last().sentAt)))
        const segment = last()
        const part = bytes.subarray(taken, taken + segmentBytes - segment.filled)
        part.copy(segment.bytes, segment.filled)
        segment.filled += part.length
        taken += part.length
      }
    },
    /** The next part to keep, the oldest first. */
    next(): Unkept | undefined {
      const segment = segments.find(({ filled, kept }) => kept < filled)
      if (!segment) return undefined
      const { filled } = segment
      const isWhole = filled === segmentBytes || segment.pieces >= mostPieces
      const offset = isWhole ? 0 : segment.kept
      const start = segment.start + BigInt(offset)
      return {
        start,
        bytes: segment.bytes.subarray(offset, filled),
        sentAt: offset === 0 ? segment.sentAt : sentAt(start, segment.sentAt),
        done() {
          segment.kept = filled
          segment.pieces = isWhole ? 1 : segment.pieces + 1
          segments = segments.filter((one) => one === last() || one.kept < segmentBytes)
        },
      }
    },
  }
}
