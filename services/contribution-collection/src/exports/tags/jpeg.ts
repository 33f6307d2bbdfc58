import type { Caption } from './caption.ts'
import { iptcOf, photoshopResources } from './iptc.ts'
import { xmpOf } from './xmp.ts'

const maxLength = 0xffff - 2

function segment(marker: number, content: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(content.length + 2, 2)
  return Buffer.concat([head, content])
}

/** SOI marker. */
export const startOfImage = Buffer.from([0xff, 0xd8])

/**
 * Segments to insert after the SOI marker of a JPEG without metadata, such as our renditions. The picture itself is streamed
 * unchanged.
 */
export function captionSegments(caption: Caption): Buffer {
  const shorter = (max: number): Caption => ({ ...caption, description: caption.description.slice(0, max) })
  const xmpWith = (max: number) => Buffer.concat([Buffer.from('http://ns.adobe.com/xap/1.0/\0'), xmpOf(shorter(max))])
  const lengths = [60_000, 10_000, 2_000, 0]
  const xmp = lengths.map(xmpWith).find(({ length }) => length <= maxLength) ?? xmpWith(0)
  const resources = Buffer.concat([Buffer.from('Photoshop 3.0\0'), photoshopResources(iptcOf(caption))])
  return Buffer.concat([segment(0xe1, xmp), segment(0xed, resources)])
}
