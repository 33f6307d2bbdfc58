/**
 * Finds files that are two things at once: a picture to us, an archive or a page to whoever opens the original. Looks at
 * the bytes as they pass and keeps no more of them than the longest end of a zip.
 */
export interface Watch {
  see(piece: Uint8Array): void
  /** What else the file is; undefined if it is nothing else. After the last piece. */
  found(): string | undefined
}

/** Six bytes or more: in 5 GB of video they do not come about by chance. */
const anywhere: readonly (readonly [string, Buffer])[] = [
  ['a 7z archive', Buffer.from('7z\xbc\xaf\x27\x1c', 'latin1')],
  ['a RAR archive', Buffer.from('Rar!\x1a\x07', 'latin1')],
  ['a page with scripts', Buffer.from('<script')],
  ['a PHP program', Buffer.from('<?php')],
]
const overlap = Math.max(...anywhere.map(([, signature]) => signature.length)) - 1

/** Readers of PDF look for its beginning in the first kilobyte, browsers for a page in the first half of it. */
const early: readonly (readonly [string, RegExp])[] = [
  ['a PDF document', /%PDF-/],
  ['a page', /<(?:!doctype\s+html|html|head|body|svg|iframe)[\s>]/i],
]
const earlyLength = 1_024

/** Text of scripts is looked for where metadata stand, not in what was recorded. */
const textLength = 2 ** 20

const zipEnd = Buffer.from('PK\x05\x06', 'latin1')
const zipEndLength = 22
const maxCommentLength = 0xffff

export function watch(): Watch {
  let seen = 0
  let begun = Buffer.alloc(0)
  let tail = Buffer.alloc(0)
  let last = Buffer.alloc(0)
  let other: string | undefined
  return {
    see(piece) {
      const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)
      if (seen < earlyLength) begun = Buffer.concat([begun, bytes.subarray(0, earlyLength - seen)])
      const joined = Buffer.concat([last, bytes.subarray(0, overlap)])
      for (const [what, signature] of anywhere) {
        if (other !== undefined || (signature[0] === 0x3c && seen > textLength)) continue
        if (bytes.includes(signature) || joined.includes(signature)) other = what
      }
      const kept = zipEndLength + maxCommentLength
      tail = bytes.length >= kept ? Buffer.from(bytes.subarray(-kept)) : Buffer.concat([tail, bytes]).subarray(-kept)
      last = Buffer.from(tail.subarray(-overlap))
      seen += bytes.length
    },
    found() {
      const text = begun.toString('latin1')
      return other ?? early.find(([, pattern]) => pattern.test(text))?.[0] ?? (endsAsZip(tail) ? 'a zip' : undefined)
    },
  }
}

/** A zip is found from its end: there is one if a record of an end stands there whose comment fills the rest. */
function endsAsZip(tail: Buffer): boolean {
  for (
    let offset = tail.lastIndexOf(zipEnd);
    offset >= 0;
    offset = offset === 0 ? -1 : tail.lastIndexOf(zipEnd, offset - 1)
  ) {
    if (offset + zipEndLength > tail.length) continue
    // Tools pass over some bytes behind the end, so we do: a picture has no such record at all.
    const comment = tail.readUInt16LE(offset + 20)
    const isSane = tail.readUInt16LE(offset + 4) === 0 || tail.readUInt16LE(offset + 4) === 0xffff
    if (isSane && offset + zipEndLength + comment <= tail.length) return true
  }
  return false
}
