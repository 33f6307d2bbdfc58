/**
 * Detects polyglots: media files that are also an archive, a page or a program. Works on a stream, buffering no more than the
 * longest end record of a zip.
 */
export interface Watch {
  see(piece: Uint8Array): void
  /** The other type, if any. Call it after the last piece. */
  found(): string | undefined
}

/** Long enough not to occur by chance in 5 GB of video. */
const anywhere: readonly (readonly [string, Buffer])[] = [
  ['a 7z archive', Buffer.from('7z\xbc\xaf\x27\x1c', 'latin1')],
  ['a RAR archive', Buffer.from('Rar!\x1a\x07', 'latin1')],
  ['a page with scripts', Buffer.from('<script')],
  ['a PHP program', Buffer.from('<?php')],
]
const overlap = Math.max(...anywhere.map(([, signature]) => signature.length)) - 1

/** PDF readers search the first kilobyte, browsers the first half of it. */
const early: readonly (readonly [string, RegExp])[] = [
  ['a PDF document', /%PDF-/],
  ['a page', /<(?:!doctype\s+html|html|head|body|svg|iframe)[\s>]/i],
]
const earlyLength = 1_024

/** Scripts are searched in metadata, not in recorded data. */
const textLength = 2 ** 20

const zipEnd = Buffer.from('PK\x05\x06', 'latin1')
const zipEndLength = 22
const maxCommentLength = 0xffff

export function watch(): Watch {
  let size = 0
  let head = Buffer.alloc(0)
  let tail = Buffer.alloc(0)
  let last = Buffer.alloc(0)
  let other: string | undefined
  return {
    see(piece) {
      const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)
      if (size < earlyLength) head = Buffer.concat([head, bytes.subarray(0, earlyLength - size)])
      const joined = Buffer.concat([last, bytes.subarray(0, overlap)])
      for (const [what, signature] of anywhere) {
        if (other !== undefined || (signature[0] === 0x3c && size > textLength)) continue
        if (bytes.includes(signature) || joined.includes(signature)) other = what
      }
      const maxTail = zipEndLength + maxCommentLength
      tail =
        bytes.length >= maxTail
          ? Buffer.from(bytes.subarray(-maxTail))
          : Buffer.concat([tail, bytes]).subarray(-maxTail)
      last = Buffer.from(tail.subarray(-overlap))
      size += bytes.length
    },
    found() {
      const text = head.toString('latin1')
      return other ?? early.find(([, pattern]) => pattern.test(text))?.[0] ?? (endsAsZip(tail) ? 'a zip' : undefined)
    },
  }
}

/** Whether there is an end of central directory record whose comment fits the rest. */
function endsAsZip(tail: Buffer): boolean {
  for (
    let offset = tail.lastIndexOf(zipEnd);
    offset >= 0;
    offset = offset === 0 ? -1 : tail.lastIndexOf(zipEnd, offset - 1)
  ) {
    if (offset + zipEndLength > tail.length) continue
    // Trailing bytes are allowed, as tools ignore them.
    const comment = tail.readUInt16LE(offset + 20)
    const isSane = tail.readUInt16LE(offset + 4) === 0 || tail.readUInt16LE(offset + 4) === 0xffff
    if (isSane && offset + zipEndLength + comment <= tail.length) return true
  }
  return false
}
