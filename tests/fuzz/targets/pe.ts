import { isPe } from '../../../services/unpack-analysis/src/engine/magic.ts'
import { Malformed, OverLimit } from '../../../services/unpack-analysis/src/engine/malformed.ts'
import { mappedPe } from '../../../services/unpack-analysis/src/engine/pe/mapped.ts'
import { readPe } from '../../../services/unpack-analysis/src/engine/pe/program.ts'
import { layoutOf } from '../../../services/unpack-analysis/src/rules/layout.ts'
import type { Target } from '../target.ts'

/** A Windows program with one section and one import. */
function smallPe(bits: 32 | 64): Buffer {
  const pe = Buffer.alloc(0x600)
  pe.write('MZ')
  pe.writeUInt32LE(0x40, 0x3c)
  pe.write('PE\0\0', 0x40)
  pe.writeUInt16LE(bits === 64 ? 0x8664 : 0x14c, 0x44)
  pe.writeUInt16LE(1, 0x46)
  const optionalSize = bits === 64 ? 240 : 224
  pe.writeUInt16LE(optionalSize, 0x54)
  const optional = 0x58
  pe.writeUInt16LE(bits === 64 ? 0x20b : 0x10b, optional)
  pe.writeUInt32LE(0x1000, optional + 16)
  if (bits === 64) pe.writeBigUInt64LE(0x400000n, optional + 24)
  else pe.writeUInt32LE(0x400000, optional + 28)
  pe.writeUInt32LE(0x1000, optional + 32)
  pe.writeUInt32LE(0x200, optional + 36)
  pe.writeUInt32LE(0x2000, optional + 56)
  pe.writeUInt32LE(0x200, optional + 60)
  const directories = optional + (bits === 64 ? 112 : 96)
  pe.writeUInt32LE(16, directories - 4)
  pe.writeUInt32LE(0x1100, directories + 8)
  pe.writeUInt32LE(40, directories + 12)
  const section = optional + optionalSize
  pe.write('.text', section)
  for (const [index, value] of [0x400, 0x1000, 0x400, 0x200].entries()) pe.writeUInt32LE(value, section + 8 + 4 * index)
  for (const [at, value] of [
    [0x300, 0x1180],
    [0x30c, 0x11c0],
    [0x310, 0x11a0],
    [0x380, 0x11d0],
    [0x3a0, 0x11d0],
  ] as const)
    pe.writeUInt32LE(value, at)
  pe.write('kernel32.dll\0', 0x3c0)
  pe.write('\0\0ExitProcess\0', 0x3d0)
  return pe
}

export const target: Target = {
  seeds: [smallPe(32), smallPe(64)],
  dictionary: ['MZ', 'PE\0\0', 'UPX0', Buffer.from('ffffffff', 'hex'), Buffer.from('00100000', 'hex')],
  refusals: [Malformed, OverLimit],
  run(bytes) {
    layoutOf(bytes)
    mappedPe(bytes, 0x400000, 0x401000)
    if (isPe(bytes)) readPe(bytes)
  },
}
