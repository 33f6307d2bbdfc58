import { FlatBuffer } from '../../../services/face-recognition/src/engine/weights/flatbuffer.ts'
import { fromTflite } from '../../../services/face-recognition/src/engine/weights/tflite.ts'
import type { Target } from '../target.ts'

/** A root table with a layout of three fields: a number, a list of numbers and a list of one table. */
function seed(): Buffer {
  const bytes = Buffer.alloc(96)
  bytes.writeUInt32LE(24, 0) // root
  bytes.writeUInt16LE(10, 8) // layout: its size, the table's size, three fields
  bytes.writeUInt16LE(16, 10)
  bytes.writeUInt16LE(4, 12)
  bytes.writeUInt16LE(8, 14)
  bytes.writeUInt16LE(12, 16)
  bytes.writeInt32LE(16, 24) // table: its layout is 16 bytes before it
  bytes.writeInt32LE(7, 28)
  bytes.writeUInt32LE(16, 32) // list of numbers at 48
  bytes.writeUInt32LE(24, 36) // list of tables at 60
  bytes.writeUInt32LE(2, 48)
  bytes.writeUInt32LE(1, 60)
  bytes.writeInt32LE(-40, 64)
  return bytes
}

export const target: Target = {
  seeds: [seed()],
  refusals: [RangeError, Error], // a trusted file: any error may refuse it, within bounds
  maxBytes: 4_096,
  run(bytes) {
    const flat = new FlatBuffer(bytes)
    const root = flat.root()
    flat.int(root, 0)
    flat.ints(root, 1)
    for (const table of flat.tables(root, 2)) flat.byte(table, 0)
    fromTflite(bytes, { name: 'fuzzed', image: { mean: 0, by: 1 }, outputs: ['a'] })
  },
}
