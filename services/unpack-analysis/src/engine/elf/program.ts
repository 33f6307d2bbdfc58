import { entropyOf } from '../entropy.ts'
import { LinuxProcess } from '../linux/process.ts'
import { AddressSpace } from '../memory/address-space.ts'
import type { Process, Program } from '../program.ts'
import { elfAround } from './memory.ts'
import { type Elf, parseElf } from './parse.ts'
import { partsOf } from './parts.ts'
import { rebuildElf } from './rebuild.ts'

/** Default address of mappings. */
const mappedFrom = 0x6ff0_0000_0000

export function readElf(file: Buffer): Program {
  const elf = parseElf(file)
  return {
    format: 'ELF x64',
    bits: 64,
    packer: guessElfPacker(file, elf, entropyOf(file)),
    entry: elf.entry,
    parts: partsOf(elf.segments),
    start(machine): Process {
      const space = new AddressSpace(machine, mappedFrom)
      const process = new LinuxProcess(space, elf, file)
      return {
        space,
        layers: process.layers,
        trace: process.trace,
        run: () => process.run(),
        isProgram: ({ memory, target }) => elfAround(memory, target) !== undefined,
        rebuild: rebuildElf,
        get started() {
          return process.started
        },
      }
    },
  }
}

/** Guesses the packer by its traces in the file. Decides only whether code outside a program can be the unpacked one. */
function guessElfPacker(file: Buffer, { loaded }: Elf, entropy: number): string {
  if (file.includes('UPX!')) return 'UPX'
  const isReserved = loaded.some(
    ({ fileSize, memorySize, flags }) => fileSize === 0 && memorySize > 0x1000 && flags !== 0,
  )
  const hasSections = file.readUInt16LE(60) > 0
  if (!hasSections && isReserved) return 'unknown; it has an empty segment and no sections, like UPX'
  if (loaded.some(({ flags }) => (flags & 3) === 3)) return 'unknown; code is in a writable segment'
  if (entropy > 7.2) return 'unknown; the file is compressed or encrypted'
  return 'none'
}
