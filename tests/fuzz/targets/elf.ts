import { readElf } from '../../../services/unpack-analysis/src/engine/elf/program.ts'
import { isElf } from '../../../services/unpack-analysis/src/engine/magic.ts'
import { Malformed, OverLimit } from '../../../services/unpack-analysis/src/engine/malformed.ts'
import { layoutOf } from '../../../services/unpack-analysis/src/rules/layout.ts'
import type { Target } from '../target.ts'

/** A Linux program with one segment, an endless loop. */
export function smallElf(): Buffer {
  const elf = Buffer.alloc(512)
  elf.write('\x7fELF\x02\x01\x01', 'latin1')
  elf.writeUInt16LE(2, 16)
  elf.writeUInt16LE(62, 18)
  elf.writeUInt32LE(1, 20)
  elf.writeBigUInt64LE(0x400078n, 24)
  elf.writeBigUInt64LE(64n, 32)
  elf.writeUInt16LE(64, 52)
  elf.writeUInt16LE(56, 54)
  elf.writeUInt16LE(1, 56)
  elf.writeUInt32LE(1, 64)
  elf.writeUInt32LE(7, 68)
  for (const [at, value] of [
    [80, 0x400000n],
    [88, 0x400000n],
    [96, 512n],
    [104, 4096n],
    [112, 4096n],
  ] as const)
    elf.writeBigUInt64LE(value, at)
  elf.set([0xeb, 0xfe], 0x78)
  return elf
}

export const target: Target = {
  seeds: [smallElf()],
  dictionary: ['UPX!', '\x7fELF', Buffer.from('ffffffffffffffff', 'hex'), Buffer.from('0000400000000000', 'hex')],
  refusals: [Malformed, OverLimit],
  run(bytes) {
    layoutOf(bytes)
    if (isElf(bytes)) readElf(bytes)
  },
}
