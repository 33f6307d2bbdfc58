import { limits } from '../limits.ts'
import { quoted, textAt } from '../memory/texts.ts'
import type { LinuxProcess } from './process.ts'

/** Error results of system calls. */
export const errno = {
  ...{ notPermitted: -1, noEntry: -2, noSuchProcess: -3, badFile: -9, noChild: -10, again: -11, noMemory: -12 },
  ...{ fault: -14, exists: -17, invalid: -22, noTerminal: -25, badSeek: -29, noCall: -38 },
}

const registers = {
  system: ['di', 'si', 'dx', 'r10', 'r8', 'r9'],
  library: ['di', 'si', 'dx', 'cx', 'r8', 'r9'],
} as const

/** A call of the system or of a library function, with its arguments. */
export class Call {
  readonly process: LinuxProcess
  readonly name: string
  readonly of: 'system' | 'library'

  constructor(process: LinuxProcess, name: string, of: 'system' | 'library') {
    this.process = process
    this.name = name
    this.of = of
  }

  get machine() {
    return this.process.machine
  }

  argument(index: number): number {
    const register = registers[this.of][index]
    return register ? Number(this.machine.get(register)) : 0
  }

  /** Argument as a signed 32-bit number, such as descriptors and flags. */
  word(index: number): number {
    const register = registers[this.of][index]
    return register ? Number(BigInt.asIntN(32, this.machine.get(register))) : 0
  }

  text(index: number): string {
    return textAt(this.process.space, this.argument(index), 4096)
  }

  writeNumbers(address: number, ...values: readonly (number | bigint)[]): boolean {
    const bytes = Buffer.alloc(values.length * 8)
    for (const [index, value] of values.entries()) bytes.writeBigInt64LE(BigInt.asIntN(64, BigInt(value)), index * 8)
    return this.machine.write(address, bytes)
  }

  /** Formats an argument: as the text that it points to, or as a number. */
  format(index: number, length?: number): string {
    const value = this.argument(index)
    const number = `0x${value.toString(16)}`
    if (value < 0x10000) return number
    const text = textAt(this.process.space, value, Math.min(length ?? 1024, limits.textLength))
    return quoted(text, length === undefined ? 4 : 1) ?? number
  }
}

/** The function has set itself where the program continues. */
export const deferred = Symbol('deferred')

export type Answer = number | bigint | typeof deferred
export type Api = (call: Call) => Answer
export type Apis = Readonly<Record<string, Api>>
