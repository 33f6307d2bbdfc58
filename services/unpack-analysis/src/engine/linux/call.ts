import { limits } from '../limits.ts'
import { quoted, textAt } from '../memory/texts.ts'
import type { LinuxProcess } from './process.ts'

/** Errors that calls answer, as negative numbers. */
export const errno = {
  ...{ notPermitted: -1, noEntry: -2, noSuchProcess: -3, badFile: -9, noChild: -10, again: -11, noMemory: -12 },
  ...{ fault: -14, exists: -17, invalid: -22, noTerminal: -25, badSeek: -29, noCall: -38 },
}

const registers = {
  system: ['di', 'si', 'dx', 'r10', 'r8', 'r9'],
  library: ['di', 'si', 'dx', 'cx', 'r8', 'r9'],
} as const

/** A call of the system, or of a function in a library that it has: its arguments, and the memory that they point to. */
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

  /** Of the lower half, with its sign: descriptors and flags. */
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

  /** An argument as people read it: a number, and the text that it points to. */
  shown(index: number, length?: number): string {
    const value = this.argument(index)
    const number = `0x${value.toString(16)}`
    if (value < 0x10000) return number
    const text = textAt(this.process.space, value, Math.min(length ?? 1024, limits.textLength))
    return quoted(text, length === undefined ? 4 : 1) ?? number
  }
}

/** An answer that comes later, or never: the function has arranged itself where the program goes on. */
export const deferred = Symbol('deferred')

export type Answer = number | bigint | typeof deferred
export type Api = (call: Call) => Answer
export type Apis = Readonly<Record<string, Api>>
