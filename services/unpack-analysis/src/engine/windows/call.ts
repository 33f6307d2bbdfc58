import { limits } from '../limits.ts'
import type { SystemFunction } from './modules.ts'
import type { WindowsProcess } from './process.ts'

const printable = /^[\x20-\x7e\t\r\n]+$/

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
    const bytes = this.process.space.readUpTo(address, 1024)
    const end = bytes.indexOf(0)
    return bytes.toString('latin1', 0, end < 0 ? bytes.length : end)
  }

  wideAt(address: number): string {
    const bytes = this.process.space.readUpTo(address, 2048)
    const text = bytes.toString('utf16le', 0, bytes.length - (bytes.length % 2))
    const end = text.indexOf('\0')
    return end < 0 ? text : text.slice(0, end)
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
    const plain = this.textAt(value)
    if (plain.length >= 4 && printable.test(plain)) return JSON.stringify(plain.slice(0, limits.textLength))
    const wide = this.wideAt(value)
    return wide.length >= 3 && printable.test(wide) ? JSON.stringify(wide.slice(0, limits.textLength)) : number
  }
}

/** An answer that comes later: the function has arranged itself where the program goes on. */
export const deferred = Symbol('deferred')

export type Answer = number | bigint | typeof deferred
export type Api = (call: Call) => Answer

/** How many arguments to show of functions whose count no table has. */
export type Apis = Readonly<Record<string, Api>>
