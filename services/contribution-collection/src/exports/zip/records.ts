/**
 * A zip entry, stored without compression, which would not help pictures and films. Size and checksum are known in advance,
 * so no data descriptors are needed. Zip64 is used above 4 GiB or 65,535 files.
 */
export interface ZipFile {
  readonly name: string
  readonly size: number
  readonly crc32: number
  readonly modified: Date
}

const max32 = 0xffff_ffff
const max16 = 0xffff
const plain = 20
const zip64 = 45
const unix = 3 << 8
const utf8 = 0x0800
const stored = 0
const regularFile = (0o100644 << 16) >>> 0

/** UTC, in steps of two seconds, from 1980 to 2107. */
function dosTime(date: Date): { time: number; day: number } {
  const year = Math.min(Math.max(date.getUTCFullYear(), 1980), 2107)
  return {
    time: (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1),
    day: ((year - 1980) << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate(),
  }
}

/** Zip64 extra field: the numbers that exceed 32 bits, in order. */
function zip64Field(numbers: readonly number[]): Buffer {
  const large = numbers.filter((number) => number >= max32)
  if (large.length === 0) return Buffer.alloc(0)
  const field = Buffer.alloc(4 + 8 * large.length)
  field.writeUInt16LE(1, 0)
  field.writeUInt16LE(8 * large.length, 2)
  for (const [index, number] of large.entries()) field.writeBigUInt64LE(BigInt(number), 4 + 8 * index)
  return field
}

/** Fields of both headers of a file, from the required version to the name length. */
function sharedFields(file: ZipFile, name: Buffer, extra: Buffer): Buffer {
  const { time, day } = dosTime(file.modified)
  const size = Math.min(file.size, max32)
  const record = Buffer.alloc(26)
  record.writeUInt16LE(extra.length > 0 ? zip64 : plain, 0)
  record.writeUInt16LE(utf8, 2)
  record.writeUInt16LE(stored, 4)
  record.writeUInt16LE(time, 6)
  record.writeUInt16LE(day, 8)
  record.writeUInt32LE(file.crc32 >>> 0, 10)
  record.writeUInt32LE(size, 14)
  record.writeUInt32LE(size, 18)
  record.writeUInt16LE(name.length, 22)
  record.writeUInt16LE(extra.length, 24)
  return record
}

/** Local file header. */
export function fileHeader(file: ZipFile): Buffer {
  const name = Buffer.from(file.name)
  const extra = zip64Field([file.size, file.size])
  return Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), sharedFields(file, name, extra), name, extra])
}

/** Central directory record. */
export function directoryRecord(file: ZipFile, offset: number): Buffer {
  const name = Buffer.from(file.name)
  const extra = zip64Field([file.size, file.size, offset])
  const version = Buffer.alloc(2)
  version.writeUInt16LE(unix | zip64)
  const place = Buffer.alloc(14) // no comment, first disk
  place.writeUInt32LE(regularFile, 6)
  place.writeUInt32LE(Math.min(offset, max32), 10)
  return Buffer.concat([
    Buffer.from('PK\x01\x02', 'latin1'),
    version,
    sharedFields(file, name, extra),
    place,
    name,
    extra,
  ])
}

/** End of central directory. */
export function endRecords({ files, size, offset }: { files: number; size: number; offset: number }): Buffer {
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(Math.min(files, max16), 8)
  end.writeUInt16LE(Math.min(files, max16), 10)
  end.writeUInt32LE(Math.min(size, max32), 12)
  end.writeUInt32LE(Math.min(offset, max32), 16)
  if (files < max16 && size < max32 && offset < max32) return end
  const large = Buffer.alloc(56)
  large.write('PK\x06\x06', 'latin1')
  large.writeBigUInt64LE(44n, 4)
  large.writeUInt16LE(unix | zip64, 12)
  large.writeUInt16LE(zip64, 14)
  large.writeBigUInt64LE(BigInt(files), 24)
  large.writeBigUInt64LE(BigInt(files), 32)
  large.writeBigUInt64LE(BigInt(size), 40)
  large.writeBigUInt64LE(BigInt(offset), 48)
  const locator = Buffer.alloc(20)
  locator.write('PK\x06\x07', 'latin1')
  locator.writeBigUInt64LE(BigInt(offset + size), 8)
  locator.writeUInt32LE(1, 16)
  return Buffer.concat([large, locator, end])
}
