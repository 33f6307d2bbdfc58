import { AddressSpace } from '../address-space.ts'
import type { AnalyzeOptions } from '../analyze.ts'
import { entropyCurve, entropyOf } from '../entropy.ts'
import type { Transition } from '../layers/layers.ts'
import { outcomeOf } from '../layers/outcome.ts'
import type { Analysis, Report, Shape } from '../report.ts'
import { Machine } from '../unicorn/machine.ts'
import { WindowsProcess } from '../windows/process.ts'
import { type Import, importsOf } from './imports.ts'
import { mappedPe } from './mapped.ts'
import { guessPacker } from './packer.ts'
import { imageOf, type Pe, parsePe, type Section } from './parse.ts'
import { type RebuiltPe, rebuildPe } from './rebuild.ts'

export function analyzePe(file: Buffer, { emulateMs }: AnalyzeOptions): Analysis {
  const pe = parsePe(file)
  const begun = performance.now()
  const machine = new Machine(pe.bits, begun + emulateMs)
  try {
    const space = new AddressSpace(machine, Math.ceil((pe.base + pe.imageSize) / 0x10000) * 0x10000)
    const process = new WindowsProcess(space, pe, file)
    const stopped = process.run()
    const emulatedMs = Math.round(performance.now() - begun)
    const { chosen, layers, why } = outcomeOf(process.layers.transitions, stopped)
    const imports = importsOf(imageOf(file, pe), pe)
    const rebuilt = chosen && rebuild(process, pe, imports, chosen)
    const entropy = entropyOf(file)
    const report: Report = {
      format: pe.bits === 64 ? 'PE x64' : 'PE x86',
      packer: guessPacker(file, pe, imports.length, entropy),
      before: shapeOf(file, pe.entry, pe.sections),
      ...(chosen && rebuilt
        ? {
            after: {
              ...shapeOf(rebuilt.file, rebuilt.entry, rebuilt.sections),
              imports: rebuilt.imports,
              code: process.layers.executedSince(chosen).map((page) => page - chosen.target + rebuilt.entry),
            },
          }
        : { why }),
      layers,
      calls: process.trace.calls,
      callCount: process.trace.count,
      events: process.trace.events,
      stopped,
      emulatedMs,
      emulator: `Unicorn ${machine.version}`,
    }
    return { report, ...(rebuilt && { unpacked: withOverlay(rebuilt.file, file, pe) }) }
  } finally {
    machine.close()
  }
}

/** The program as it was when the last layer had come off. */
function rebuild(
  process: WindowsProcess,
  pe: Pe,
  own: readonly Import[],
  { target, region, memory }: Transition,
): RebuiltPe & { readonly entry: number } {
  const functionAt = (address: number) => process.modules.functionAt(address)
  const bytes = memory.get(region) as Buffer
  const loaded = region.kind === 'heap' ? mappedPe(bytes, region.start, target) : undefined
  if (loaded) {
    const entry = target - region.start
    return { ...rebuildPe(loaded, bytes, entry, { extra: [], ownSlots: new Set(), functionAt }), entry }
  }
  const image = memory.get(process.image) as Buffer
  const isBeside = region.kind === 'heap' && region.start > pe.base
  const extra = isBeside ? [{ address: region.start - pe.base, bytes }] : []
  const ownSlots = new Set(own.map(({ slot }) => slot))
  return { ...rebuildPe(pe, image, target - pe.base, { extra, ownSlots, functionAt }), entry: target - pe.base }
}

function shapeOf(file: Buffer, entry: number, sections: readonly Section[]): Shape {
  return {
    size: file.length,
    entry,
    entropy: entropyOf(file),
    curve: entropyCurve(file),
    sections: sections.map(({ name, address, virtualSize, rawOffset, rawSize }) => ({
      name,
      address,
      size: virtualSize,
      entropy: entropyOf(file.subarray(rawOffset, rawOffset + rawSize)),
    })),
  }
}

/** What lay behind the sections of the file is of the program, too: installers keep their content there. */
function withOverlay(rebuilt: Buffer, file: Buffer, { sections }: Pe): Buffer {
  const end = sections.reduce((most, { rawOffset, rawSize }) => Math.max(most, rawOffset + rawSize), 0)
  return end > 0 && end < file.length ? Buffer.concat([rebuilt, file.subarray(end)]) : rebuilt
}
