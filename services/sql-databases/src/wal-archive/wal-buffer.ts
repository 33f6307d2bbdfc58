import type { Watermark } from './host-store.ts'
import type { Lsn } from './lsn.ts'

/** A range of received WAL that is not archived yet. */
export interface PendingWal {
  readonly start: Lsn
  readonly bytes: Buffer
  readonly sentAt: Date
  /** To be called once the range is archived. */
  onArchived(): void
}

/** A WAL segment file as it fills. */
interface Segment {
  readonly start: Lsn
  readonly bytes: Buffer
  readonly sentAt: Date
  filled: number
  archived: number
  chunks: number
}

/** Chunks of a partial segment are merged beyond this number: an idle server takes days to fill one. */
const maxChunksPerSegment = 60

/**
 * Buffers streamed WAL, beginning at a segment boundary, until it is archived. A segment is archived in chunks as it arrives,
 * and once more as a whole when it is full, so that recovery reads one blob.
 */
export function openWalBuffer(from: Lsn, segmentBytes: number, firstSentAt: Date) {
  const startSegment = (start: Lsn, sentAt: Date): Segment => ({
    start,
    bytes: Buffer.alloc(segmentBytes),
    sentAt,
    filled: 0,
    archived: 0,
    chunks: 0,
  })
  let segments = [startSegment(from, firstSentAt)]
  let watermark: Watermark | undefined
  const last = () => segments.at(-1) as Segment
  const end = () => last().start + BigInt(last().filled)
  /** WAL after a watermark was committed after its time. */
  const sentAt = (start: Lsn, earliest: Date) => (watermark && watermark.end <= start ? watermark.at : earliest)

  return {
    end,
    bufferedBytes: () => segments.reduce((sum, { filled, archived }) => sum + filled - archived, 0),
    advance(next: Watermark) {
      watermark = next
    },
    append(start: Lsn, bytes: Buffer): void {
      if (start !== end()) throw new Error(`WAL continues at ${start} instead of ${end()}.`)
      for (let offset = 0; offset < bytes.length; ) {
        if (last().filled === segmentBytes) segments.push(startSegment(end(), sentAt(end(), last().sentAt)))
        const segment = last()
        const part = bytes.subarray(offset, offset + segmentBytes - segment.filled)
        part.copy(segment.bytes, segment.filled)
        segment.filled += part.length
        offset += part.length
      }
    },
    /** Returns the oldest range to archive. */
    pending(): PendingWal | undefined {
      const segment = segments.find(({ filled, archived }) => archived < filled)
      if (!segment) return undefined
      const { filled } = segment
      const isWhole = filled === segmentBytes || segment.chunks >= maxChunksPerSegment
      const offset = isWhole ? 0 : segment.archived
      const start = segment.start + BigInt(offset)
      return {
        start,
        bytes: segment.bytes.subarray(offset, filled),
        sentAt: offset === 0 ? segment.sentAt : sentAt(start, segment.sentAt),
        onArchived() {
          segment.archived = filled
          segment.chunks = isWhole ? 1 : segment.chunks + 1
          segments = segments.filter((other) => other === last() || other.archived < segmentBytes)
        },
      }
    },
  }
}
