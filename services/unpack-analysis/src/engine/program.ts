import type { Layers, Transition } from './layers/layers.ts'
import type { AddressSpace } from './memory/address-space.ts'
import type { Report } from './report.ts'
import type { Stopped } from './stopped.ts'
import type { Trace } from './trace.ts'
import type { Machine } from './unicorn/machine.ts'

/** A section or segment. */
export interface Part {
  readonly name: string
  readonly address: number
  readonly virtualSize: number
  readonly rawOffset: number
  readonly rawSize: number
}

/** A parsed PE or ELF file. */
export interface Program {
  readonly format: Report['format']
  readonly bits: 32 | 64
  readonly packer: string
  /** Relative to the image. */
  readonly entry: number
  readonly parts: readonly Part[]
  start(machine: Machine): Process
}

/** An emulated process. */
export interface Process {
  readonly space: AddressSpace
  readonly layers: Layers
  readonly trace: Trace
  run(): Stopped
  /** Whether the target of a transition is within a complete program. */
  isProgram(transition: Transition): boolean
  /** Rebuilds the unpacked file from the memory of a transition. */
  rebuild(transition: Transition): Rebuilt
  /** A program that it wrote to a file and started, which needs no rebuilding. */
  readonly started?: Buffer | undefined
}

export interface Rebuilt {
  readonly file: Buffer
  readonly entry: number
  readonly parts: readonly Part[]
  readonly imports: readonly string[]
  /** File offset of a memory page; undefined if it is not in the file. */
  offsetOf(address: number): number | undefined
}
