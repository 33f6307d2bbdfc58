import { readElf } from './elf/program.ts'
import { entropyCurve, entropyOf } from './entropy.ts'
import type { Transition } from './layers/layers.ts'
import { outcomeOf } from './layers/outcome.ts'
import { demandProgram, isElf } from './magic.ts'
import { readPe } from './pe/program.ts'
import type { Part, Process, Program, Rebuilt } from './program.ts'
import type { Analysis, Layer, Report, Shape } from './report.ts'
import { Machine } from './unicorn/machine.ts'
import { cpuMs } from './unicorn/watchdog.ts'

export interface AnalyzeOptions {
  readonly emulateMs: number
}

const readProgram = (file: Buffer): Program => (isElf(file) ? readElf(file) : readPe(file))

/** Emulates a sample until it ends or a limit is reached, and rebuilds the unpacked program. Nothing of it is executed. */
export function analyze(file: Buffer, { emulateMs }: AnalyzeOptions): Analysis {
  demandProgram(file)
  const program = readProgram(file)
  const startedAt = cpuMs()
  const machine = new Machine(program.bits, emulateMs)
  try {
    const process = program.start(machine)
    const stopped = process.run()
    const emulatedMs = Math.round(cpuMs() - startedAt)
    const { chosen, layers, why } = outcomeOf(process, stopped, program.packer)
    const rebuilt = process.started ? startedFile(process.started) : chosen && process.rebuild(chosen)
    const report: Report = {
      format: program.format,
      packer: program.packer,
      before: shapeOf(file, program.entry, program.parts),
      ...(rebuilt ? { after: afterOf(rebuilt, process, chosen) } : { why }),
      layers: process.started ? [...layers, fileLayer(rebuilt, process.trace.count)] : layers,
      calls: process.trace.calls,
      callCount: process.trace.count,
      events: process.trace.events,
      stopped,
      emulatedMs,
      emulator: `Unicorn ${machine.version}`,
    }
    return { report, ...(rebuilt && { unpacked: rebuilt.file }) }
  } finally {
    machine.close()
  }
}

/** A program that the sample wrote to a file, even one that cannot be emulated. */
function startedFile(file: Buffer): Rebuilt {
  const common = { file, imports: [], offsetOf: () => undefined }
  try {
    const { entry, parts } = readElf(file)
    return { ...common, entry, parts }
  } catch {
    return { ...common, entry: 0, parts: [] }
  }
}

const fileLayer = (rebuilt: Rebuilt | undefined, afterCalls: number): Layer => ({
  address: rebuilt?.entry ?? 0,
  where: 'a file that it wrote',
  how: 'jump',
  afterCalls,
})

function afterOf(
  rebuilt: Rebuilt,
  { layers, started }: Process,
  chosen: Transition | undefined,
): NonNullable<Report['after']> {
  const pages = chosen && !started ? layers.executedSince(chosen) : []
  return {
    ...shapeOf(rebuilt.file, rebuilt.entry, rebuilt.parts),
    imports: rebuilt.imports,
    code: pages.flatMap((page) => rebuilt.offsetOf(page) ?? []),
  }
}

function shapeOf(file: Buffer, entry: number, parts: readonly Part[]): Shape {
  return {
    size: file.length,
    entry,
    entropy: entropyOf(file),
    curve: entropyCurve(file),
    sections: parts.map(({ name, address, virtualSize, rawOffset, rawSize }) => ({
      name,
      address,
      size: virtualSize,
      entropy: entropyOf(file.subarray(rawOffset, rawOffset + rawSize)),
    })),
  }
}
