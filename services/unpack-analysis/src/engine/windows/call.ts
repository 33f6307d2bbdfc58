import { quoted, textAt, wideTextAt } from '../memory/texts.ts'
import type { SystemFunction } from './modules.ts'
import type { WindowsProcess } from './process.ts'

/** A call of a system function with its arguments. */
export class Call {
  readonly process: WindowsProcess
  readonly target: SystemFunction

  constructor(process: WindowsProcess, target: SystemFunction) {
    this.process = process
    this.target = target
  }

  get machine() {
    return this.process.machine
  }

  argument(index: number): number {
    const { machine } = this
    if (machine.bits === 32) return machine.readPointer(machine.sp + 4 + 4 * index)
    const register = (['cx', 'dx', 'r8', 'r9'] as const)[index]
    return register ? Number(machine.get(register)) : machine.readPointer(machine.sp + 8 + 8 * index)
  }

  /** Argument as an unsigned 32-bit number, such as counts and flags. */
  word(index: number): number {
    return Number(BigInt.asUintN(32, BigInt(Math.trunc(this.argument(index)))))
  }

  textAt(address: number): string {
    return textAt(this.process.space, address)
  }

  wideAt(address: number): string {
    return wideTextAt(this.process.space, address)
  }

  /** Text that an argument points to: wide if the function's name ends in W. */
  text(index: number): string {
    const address = this.argument(index)
    return this.target.name.endsWith('W') ? this.wideAt(address) : this.textAt(address)
  }

  /** Encodes a NUL-terminated text for the function. */
  encoded(text: string): Buffer {
    return Buffer.from(`${text}\0`, this.target.name.endsWith('W') ? 'utf16le' : 'latin1')
  }

  writeWord(address: number, value: number): void {
    if (address !== 0) this.machine.write(address, Buffer.from(Uint32Array.of(value).buffer))
  }

  /** Formats an argument: as the text that it points to, or as a number. */
  format(index: number): string {
    const value = this.argument(index)
    const number = `0x${value.toString(16)}`
    if (value < 0x10000) return number
    return quoted(this.textAt(value), 4) ?? quoted(this.wideAt(value), 3) ?? number
  }
}

/** The function has set itself where the program continues. */
export const deferred = Symbol('deferred')

export type Answer = number | bigint | typeof deferred
export type Api = (call: Call) => Answer

export type Apis = Readonly<Record<string, Api>>
