/**
 * Proprietary EXIF maker notes, which tools cannot create: a header that identifies the maker, then a TIFF directory with an
 * identifying text.
 */
interface Maker {
  readonly make: string
  readonly header: string
  readonly tag: number
  readonly isBigEndian?: boolean
  /** Base of offsets: start of EXIF, of the note, or of a TIFF header at the end of the note's header. */
  readonly from: 'exif' | 'note' | 'tiff'
}

export const makers: readonly Maker[] = [
  { make: 'Canon', header: '', tag: 0x0009, from: 'exif' }, // OwnerName
  { make: 'NIKON CORPORATION', header: 'Nikon\0\x02\x10\0\0', tag: 0x001d, from: 'tiff' }, // SerialNumber
  { make: 'Apple', header: 'Apple iOS\0\0\x01MM', tag: 0x0015, from: 'note', isBigEndian: true }, // ImageUniqueID
  { make: 'SONY', header: 'SONY DSC \0\0\0', tag: 0xb020, from: 'exif' }, // CreativeStyle
  { make: 'Panasonic', header: 'Panasonic\0\0\0', tag: 0x0052, from: 'exif' }, // LensSerialNumber
  { make: 'FUJIFILM', header: 'FUJIFILM\x0c\0\0\0', tag: 0x0010, from: 'note' }, // InternalSerialNumber
  { make: 'OLYMPUS CORPORATION', header: 'OLYMP\0\x01\0', tag: 0x0404, from: 'exif' }, // SerialNumber
  { make: 'PENTAX', header: 'AOC\0II', tag: 0x0229, from: 'exif' }, // SerialNumber
]

interface Field {
  readonly tag: number
  readonly type: 'text' | 'bytes' | 'address'
  readonly value: Buffer | number
}
const types = { text: 2, bytes: 7, address: 4 }

/** A directory at an offset, followed by its longer values. */
function directory(fields: readonly Field[], at: number, isBigEndian = false): Buffer {
  const head = Buffer.alloc(2 + fields.length * 12 + 4)
  const u16 = (value: number, offset: number) =>
    isBigEndian ? head.writeUInt16BE(value, offset) : head.writeUInt16LE(value, offset)
  const u32 = (value: number, offset: number) =>
    isBigEndian ? head.writeUInt32BE(value, offset) : head.writeUInt32LE(value, offset)
  const values: Buffer[] = []
  let end = at + head.length
  u16(fields.length, 0)
  for (const [index, { tag, type, value }] of fields.entries()) {
    const offset = 2 + index * 12
    u16(tag, offset)
    u16(types[type], offset + 2)
    u32(typeof value === 'number' ? 1 : value.length, offset + 4)
    if (typeof value === 'number') u32(value, offset + 8)
    else if (value.length <= 4) value.copy(head, offset + 8)
    else {
      u32(end, offset + 8)
      values.push(value)
      end += value.length
    }
  }
  return Buffer.concat([head, ...values])
}

const tiff = Buffer.from('II*\0\x08\0\0\0', 'latin1')
const cString = (text: string) => Buffer.from(`${text}\0`, 'latin1')

/** Adds a maker note with a text to a JPEG. */
export function withMakerNote(jpeg: Buffer, { make, header, tag, from, isBigEndian }: Maker, text: string): Buffer {
  const makeText = cString(make)
  const first = (exifAt: number) =>
    directory(
      [
        { tag: 0x010f, type: 'text', value: makeText },
        { tag: 0x8769, type: 'address', value: exifAt },
      ],
      8,
    )
  const exifAt = 8 + first(0).length
  const noteAt = exifAt + directory([{ tag: 0x927c, type: 'bytes', value: Buffer.alloc(0) }], 0).length
  const prefix = Buffer.from(header, 'latin1')
  const start = { exif: noteAt + prefix.length, note: prefix.length, tiff: tiff.length }[from]
  const entries = directory([{ tag, type: 'text', value: cString(text) }], start, isBigEndian)
  const note = Buffer.concat([prefix, ...(from === 'tiff' ? [tiff] : []), entries])
  const exif = directory([{ tag: 0x927c, type: 'bytes', value: note }], exifAt)
  const block = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff, first(exifAt), exif])
  const length = Buffer.alloc(2)
  length.writeUInt16BE(block.length + 2)
  return Buffer.concat([jpeg.subarray(0, 2), Buffer.from([0xff, 0xe1]), length, block, jpeg.subarray(2)])
}
