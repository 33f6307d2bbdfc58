import { crc32, deflateRawSync } from 'node:zlib'

export interface ZipEntry {
  /** A trailing slash means a folder. */
  readonly path: string | Uint8Array
  readonly content?: string | Uint8Array
  /** Unix mode, including the file type. */
  readonly mode?: number
  /** Size to claim in the header instead of the real one. */
  readonly claimedSize?: number
  readonly flags?: number
}

const utf8Names = 0x800
const madeByUnix = (3 << 8) | 20
const fixedDate = 0x21 // 1980-01-01, for reproducible zips

/** Creates a zip in memory. */
export function zip(entries: Iterable<ZipEntry>): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { path, content = '', mode = 0o100644, claimedSize, flags = utf8Names } of entries) {
    const name = Buffer.from(path as Uint8Array)
    const plain = Buffer.from(content as Uint8Array)
    const packed = deflateRawSync(plain)
    const fields = Buffer.alloc(26) // shared by the local header and the directory entry
    fields.writeUInt16LE(20, 0)
    fields.writeUInt16LE(flags, 2)
    fields.writeUInt16LE(8, 4)
    fields.writeUInt16LE(fixedDate, 8)
    fields.writeUInt32LE(crc32(plain), 10)
    fields.writeUInt32LE(packed.length, 14)
    fields.writeUInt32LE(claimedSize ?? plain.length, 18)
    fields.writeUInt16LE(name.length, 22)
    parts.push(signature(0x04034b50), fields, name, packed)
    const entry = Buffer.alloc(14)
    entry.writeUInt32LE((mode << 16) >>> 0, 6)
    entry.writeUInt32LE(offset, 10)
    directory.push(signature(0x02014b50), uint16(madeByUnix), fields, entry, name)
    offset += 30 + name.length + packed.length
  }
  const centralDirectory = Buffer.concat(directory)
  const end = Buffer.alloc(18)
  const count = directory.length / 5
  end.writeUInt16LE(count, 4)
  end.writeUInt16LE(count, 6)
  end.writeUInt32LE(centralDirectory.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...parts, centralDirectory, signature(0x06054b50), end])
}

function signature(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16LE(value)
  return bytes
}
