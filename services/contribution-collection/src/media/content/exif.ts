/** Location in an EXIF block. Malformed blocks have none. */
export interface Position {
  readonly latitude: number
  readonly longitude: number
}

interface Reader {
  u16(offset: number): number
  u32(offset: number): number
}

const gpsDirectory = 0x8825
const tags = { latitudeRef: 1, latitude: 2, longitudeRef: 3, longitude: 4 }
/** A directory with more entries was not written by a camera. */
const maxEntries = 512

export function positionIn(exif: Uint8Array): Position | undefined {
  try {
    const whole = Buffer.from(exif.buffer, exif.byteOffset, exif.byteLength)
    const tiff = whole.toString('latin1', 0, 4) === 'Exif' ? whole.subarray(6) : whole
    const order = tiff.toString('latin1', 0, 2)
    if (order !== 'II' && order !== 'MM') return undefined
    const reader: Reader =
      order === 'II'
        ? { u16: (offset) => tiff.readUInt16LE(offset), u32: (offset) => tiff.readUInt32LE(offset) }
        : { u16: (offset) => tiff.readUInt16BE(offset), u32: (offset) => tiff.readUInt32BE(offset) }
    const pointer = entriesAt(reader, reader.u32(4)).get(gpsDirectory)
    if (pointer === undefined) return undefined
    const gps = entriesAt(reader, reader.u32(pointer + 8))
    const latitude = degreesAt(tiff, reader, gps.get(tags.latitude), gps.get(tags.latitudeRef), 'S')
    const longitude = degreesAt(tiff, reader, gps.get(tags.longitude), gps.get(tags.longitudeRef), 'W')
    if (latitude === undefined || longitude === undefined) return undefined
    return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : undefined
  } catch (error) {
    if (error instanceof RangeError) return undefined // an offset is out of bounds
    throw error
  }
}

/** Offsets of entries by tag. */
function entriesAt(reader: Reader, offset: number): Map<number, number> {
  const count = reader.u16(offset)
  if (count > maxEntries) return new Map()
  return new Map(Array.from({ length: count }, (_, index) => offset + 2 + 12 * index).map((at) => [reader.u16(at), at]))
}

/** Degrees, minutes and seconds, each a fraction. */
function degreesAt(tiff: Buffer, reader: Reader, entry: number | undefined, ref: number | undefined, negative: string) {
  if (entry === undefined || ref === undefined || reader.u32(entry + 4) < 1) return undefined
  const start = reader.u32(entry + 8)
  const parts = Math.min(reader.u32(entry + 4), 3)
  let degrees = 0
  for (let index = 0; index < parts; index++) {
    const [numerator, denominator] = [reader.u32(start + 8 * index), reader.u32(start + 8 * index + 4)]
    if (denominator !== 0) degrees += numerator / denominator / 60 ** index
    else if (numerator !== 0) return undefined
  }
  const sign = String.fromCharCode(tiff.readUInt8(ref + 8)) === negative ? -1 : 1
  return Number.isFinite(degrees) ? Math.round(sign * degrees * 1e7) / 1e7 : undefined
}
