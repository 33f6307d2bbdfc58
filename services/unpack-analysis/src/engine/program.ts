import type { Layers, Transition } from './layers/layers.ts'
import type { AddressSpace } from './memory/address-space.ts'
import type { Report } from './report.ts'
import type { Stopped } from './stopped.ts'
import type { Trace } from './trace.ts'
import type { Machine } from './unicorn/machine.ts'

/** A part of a file, and where it lies in memory. */
export interface Part {
  readonly name: string
  readonly address: number
  readonly virtualSize: number
  readonly rawOffset: number
  readonly rawSize: number
}

/** A file of one of the formats that are read: PE or ELF. All that the engine asks of either. */
export interface Program {
  readonly format: Report['format']
  readonly bits: 32 | 64
  readonly packer: string
  /** From the beginning of the image. */
  readonly entry: number
  readonly parts: readonly Part[]
  start(machine: Machine): Process
}

/** A program at work on a machine that is pretended, with the system that it was made for. */
export interface Process {
  readonly space: AddressSpace
  readonly layers: Layers
  readonly trace: Trace
  run(): Stopped
  /** Whether it went to a whole program then, rather than to loose code. */
  isProgram(transition: Transition): boolean
  /** The file as it would be without its packer, by its memory at that moment. */
  rebuild(transition: Transition): Rebuilt
  /** A program that it wrote as a file and started: nothing of it needs to be put together. */
  readonly started?: Buffer | undefined
}

export interface Rebuilt {
  readonly file: Buffer
  readonly entry: number
  readonly parts: readonly Part[]
  readonly imports: readonly string[]
  /** Where in the file a page of its memory lies; undefined for others. */
  offsetOf(address: number): number | undefined
}
