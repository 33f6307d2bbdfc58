import type { Stopped } from './stopped.ts'
import type { TracedCall } from './trace.ts'

export interface ReportedSection {
  readonly name: string
  readonly address: number
  readonly size: number
  readonly entropy: number
}

/** Properties of a file, packed or unpacked. */
export interface Shape {
  readonly size: number
  readonly entry: number
  readonly entropy: number
  /** Entropy of equal parts of the file. */
  readonly curve: readonly number[]
  readonly sections: readonly ReportedSection[]
}

export interface Layer {
  /** Address of the self-written code. */
  readonly address: number
  readonly where: string
  readonly how: 'call' | 'jump'
  readonly afterCalls: number
}

export interface Report {
  readonly format: 'PE x86' | 'PE x64' | 'ELF x64'
  readonly packer: string
  readonly before: Shape
  /** Missing if nothing was unpacked, for the reason in `why`. */
  readonly after?: Shape & {
    readonly imports: readonly string[]
    /** Pages of the file that were executed after unpacking. */
    readonly code: readonly number[]
  }
  readonly why?: string
  readonly layers: readonly Layer[]
  readonly calls: readonly TracedCall[]
  readonly callCount: number
  readonly events: readonly { readonly text: string; readonly atMs: number; readonly afterCalls: number }[]
  readonly stopped: Stopped
  /** CPU time. */
  readonly emulatedMs: number
  readonly emulator: string
}

export interface Analysis {
  readonly report: Report
  readonly unpacked?: Buffer
}
