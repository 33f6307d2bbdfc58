import type { Caption } from './caption.ts'
import { iptcOf, photoshopResources } from './iptc.ts'
import { xmpOf } from './xmp.ts'

const longest = 0xffff - 2

function segment(marker: number, content: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(content.length + 2, 2)
  return Buffer.concat([head, content])
}

/** After the first two bytes of a JPEG, which are always these. */
export const startOfImage = Buffer.from([0xff, 0xd8])

/**
 * What is put behind the start of a JPEG that has no metadata of its own: our public copies have none. The picture
 * itself passes as it is, so that nothing of it is in memory.
 */
export function captionSegments(caption: Caption): Buffer {
  const shorter = (most: number): Caption => ({ ...caption, description: caption.description.slice(0, most) })
  const xmpWith = (most: number) => Buffer.concat([Buffer.from('http://ns.adobe.com/xap/1.0/\0'), xmpOf(shorter(most))])
  const lengths = [60_000, 10_000, 2_000, 0]
  const xmp = lengths.map(xmpWith).find(({ length }) => length <= longest) ?? xmpWith(0)
  const resources = Buffer.concat([Buffer.from('Photoshop 3.0\0'), photoshopResources(iptcOf(caption))])
  return Buffer.concat([segment(0xe1, xmp), segment(0xed, resources)])
}
