/**
 * The records of a zip, for files that are stored as they are: pictures and films do not get smaller. What a file is made
 * of is known before it is written, so every header is complete and no reader has to look for the end of a file. Larger
 * than 4 GiB, and more than 65,535 files: zip64.
 */
export interface ZipFile {
  readonly name: string
  readonly size: number
  readonly crc32: number
  readonly modified: Date
}

const most32 = 0xffff_ffff
const most16 = 0xffff
const plain = 20
const zip64 = 45
const unix = 3 << 8
const utf8 = 0x0800
const stored = 0
const regularFile = (0o100644 << 16) >>> 0

/** In UTC, by steps of two seconds, from 1980 to 2107. */
function dosTime(date: Date): { time: number; day: number } {
  const year = Math.min(Math.max(date.getUTCFullYear(), 1980), 2107)
  return {
    time: (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1),
    day: ((year - 1980) << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate(),
  }
}

/** The field of zip64: those numbers that do not fit their own place, in their order. */
function wide(numbers: readonly number[]): Buffer {
  const large = numbers.filter((number) => number >= most32)
  if (large.length === 0) return Buffer.alloc(0)
  const field = Buffer.alloc(4 + 8 * large.length)
  field.writeUInt16LE(1, 0)
  field.writeUInt16LE(8 * large.length, 2)
  for (const [index, number] of large.entries()) field.writeBigUInt64LE(BigInt(number), 4 + 8 * index)
  return field
}

/** What both headers of a file have, from the version that is needed to the length of its name. */
function shared(file: ZipFile, name: Buffer, extra: Buffer): Buffer {
  const { time, day } = dosTime(file.modified)
  const size = Math.min(file.size, most32)
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

/** Stands before the content of a file. */
export function fileHeader(file: ZipFile): Buffer {
  const name = Buffer.from(file.name)
  const extra = wide([file.size, file.size])
  return Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), shared(file, name, extra), name, extra])
}

/** Stands in the directory at the end, and says where the file begins. */
export function directoryRecord(file: ZipFile, offset: number): Buffer {
  const name = Buffer.from(file.name)
  const extra = wide([file.size, file.size, offset])
  const made = Buffer.alloc(2)
  made.writeUInt16LE(unix | zip64)
  const place = Buffer.alloc(14) // no comment, first disk
  place.writeUInt32LE(regularFile, 6)
  place.writeUInt32LE(Math.min(offset, most32), 10)
  return Buffer.concat([Buffer.from('PK\x01\x02', 'latin1'), made, shared(file, name, extra), place, name, extra])
}

/** Stands at the very end. */
export function endRecords({ files, size, offset }: { files: number; size: number; offset: number }): Buffer {
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(Math.min(files, most16), 8)
  end.writeUInt16LE(Math.min(files, most16), 10)
  end.writeUInt32LE(Math.min(size, most32), 12)
  end.writeUInt32LE(Math.min(offset, most32), 16)
  if (files < most16 && size < most32 && offset < most32) return end
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
