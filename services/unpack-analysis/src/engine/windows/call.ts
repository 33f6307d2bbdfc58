import { quoted, textAt, wideTextAt } from '../memory/texts.ts'
import type { SystemFunction } from './modules.ts'
import type { WindowsProcess } from './process.ts'

/** A call of a system function: its arguments, and the memory that they point to. */
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

  /** Of the lower half, as most counts and flags are. */
  word(index: number): number {
    return Number(BigInt.asUintN(32, BigInt(Math.trunc(this.argument(index)))))
  }

  textAt(address: number): string {
    return textAt(this.process.space, address)
  }

  wideAt(address: number): string {
    return wideTextAt(this.process.space, address)
  }

  /** The text that an argument points to: wide where the function's name ends in W. */
  text(index: number): string {
    const address = this.argument(index)
    return this.target.name.endsWith('W') ? this.wideAt(address) : this.textAt(address)
  }

  /** As text of the function's own kind, with its end. */
  encoded(text: string): Buffer {
    return Buffer.from(`${text}\0`, this.target.name.endsWith('W') ? 'utf16le' : 'latin1')
  }

  writeWord(address: number, value: number): void {
    if (address !== 0) this.machine.write(address, Buffer.from(Uint32Array.of(value).buffer))
  }

  /** An argument as people read it: a number, and the text that it points to. */
  shown(index: number): string {
    const value = this.argument(index)
    const number = `0x${value.toString(16)}`
    if (value < 0x10000) return number
    return quoted(this.textAt(value), 4) ?? quoted(this.wideAt(value), 3) ?? number
  }
}

/** An answer that comes later: the function has arranged itself where the program goes on. */
export const deferred = Symbol('deferred')

export type Answer = number | bigint | typeof deferred
export type Api = (call: Call) => Answer

/** How many arguments to show of functions whose count no table has. */
export type Apis = Readonly<Record<string, Api>>
