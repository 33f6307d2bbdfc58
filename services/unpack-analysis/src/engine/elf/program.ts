import { entropyOf } from '../entropy.ts'
import { LinuxProcess } from '../linux/process.ts'
import { AddressSpace } from '../memory/address-space.ts'
import type { Process, Program } from '../program.ts'
import { elfAround } from './memory.ts'
import { guessElfPacker } from './packer.ts'
import { parseElf } from './parse.ts'
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
