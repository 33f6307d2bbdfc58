import { entropyOf } from '../entropy.ts'
import type { Transition } from '../layers/layers.ts'
import { AddressSpace } from '../memory/address-space.ts'
import type { Process, Program, Rebuilt } from '../program.ts'
import { hex } from '../trace.ts'
import { WindowsProcess } from '../windows/process.ts'
import { type Import, importsOf } from './imports.ts'
import { mappedPe } from './mapped.ts'
import { guessPacker } from './packer.ts'
import { imageOf, type Pe, parsePe } from './parse.ts'
import { type RebuiltPe, rebuildPe } from './rebuild.ts'
import { stolenBytes } from './stolen.ts'

export function readPe(file: Buffer): Program {
  const pe = parsePe(file)
  const imports = importsOf(imageOf(file, pe), pe)
  return {
    format: pe.bits === 64 ? 'PE x64' : 'PE x86',
    bits: pe.bits,
    packer: guessPacker(file, pe, imports.length, entropyOf(file)),
    entry: pe.entry,
    parts: pe.sections,
    start(machine): Process {
      const space = new AddressSpace(machine, Math.ceil((pe.base + pe.imageSize) / 0x10000) * 0x10000)
      const process = new WindowsProcess(space, pe, file)
      return {
        space,
        layers: process.layers,
        trace: process.trace,
        run: () => process.run(),
        isProgram: ({ region, memory }) => region.kind === 'image' || startsAsPe(memory.get(region)),
        rebuild: (transition) => rebuild(process, file, imports, transition),
      }
    },
  }
}

const startsAsPe = (bytes: Buffer | undefined) => bytes?.toString('latin1', 0, 2) === 'MZ'

function rebuild(process: WindowsProcess, file: Buffer, own: readonly Import[], chosen: Transition): Rebuilt {
  const { pe } = process
  const { target, region, memory } = chosen
  const functionAt = (address: number) => process.modules.functionAt(address)
  const bytes = memory.get(region) as Buffer
  const finished = (rebuilt: RebuiltPe, base: number, entry = target): Rebuilt => ({
    file: withOverlay(rebuilt.file, file, pe),
    entry: entry - base,
    parts: rebuilt.sections,
    imports: rebuilt.imports,
    // File offsets equal memory offsets.
    offsetOf: (address) => address - base,
  })
  const loaded = region.kind === 'heap' ? mappedPe(bytes, region.start, target) : undefined
  if (loaded) {
    const context = { extra: [], ownSlots: new Set<number>(), functionAt }
    return finished(rebuildPe(loaded, bytes, target - region.start, context), region.start)
  }
  const image = Buffer.from(memory.get(process.image) as Buffer)
  const stolen = region === process.image ? restoreStolen(process, image, chosen) : 0
  const isBeside = region.kind === 'heap' && region.start > pe.base
  const extra = isBeside ? [{ address: region.start - pe.base, bytes }] : []
  const ownSlots = new Set(own.map(({ slot }) => slot))
  const entry = target - stolen
  return finished(rebuildPe(pe, image, entry - pe.base, { extra, ownSlots, functionAt }), pe.base, entry)
}

/** Restores bytes of the entry point that the packer had moved into itself. Returns their number. */
function restoreStolen({ layers, pe, trace }: WindowsProcess, image: Buffer, chosen: Transition): number {
  const stolen = stolenBytes(chosen.memory, chosen.target, layers.executedBefore(chosen), pe.bits)
  if (!stolen) return 0
  const { bytes, from } = stolen
  bytes.copy(image, chosen.target - bytes.length - pe.base)
  trace.event(`${bytes.length} bytes of the entry point, which the packer ran at ${hex(from)}, were restored`)
  return bytes.length
}

/** Appends the data behind the sections of the file, where installers store their content. */
function withOverlay(rebuilt: Buffer, file: Buffer, { sections }: Pe): Buffer {
  const end = sections.reduce((max, { rawOffset, rawSize }) => Math.max(max, rawOffset + rawSize), 0)
  return end > 0 && end < file.length ? Buffer.concat([rebuilt, file.subarray(end)]) : rebuilt
}
