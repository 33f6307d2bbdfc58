import { type Handle, type Library, loadLibrary } from './binding.ts'
import { type RegisterName, registers, segments } from './registers.ts'
import { type Deadline, deadlineIn, isOver, unwatch, watch } from './watchdog.ts'

export const permission = { read: 1, write: 2, execute: 4 }
export const pageSize = 0x1000
export const pageOf = (address: number) => address - (address % pageSize)
export const roundUp = (size: number) => Math.ceil(size / pageSize) * pageSize

/** Why a machine stopped. */
export type Stop =
  /** A jump to a page that is not executable, or an instruction that extends into one. */
  | { readonly why: 'fetch' }
  /** It reached `until`. */
  | { readonly why: 'reached' }
  /** Memory access fault. */
  | { readonly why: 'access'; readonly address: number; readonly isWrite: boolean }
  | { readonly why: 'interrupt'; readonly number: number }
  | { readonly why: 'illegal' }
  | { readonly why: 'halt' }
  | { readonly why: 'time' }
  | { readonly why: 'asked' }

/** Errors of the library. */
const errors = { fetchUnmapped: 8, invalid: 10, fetchForbidden: 14, exception: 21 }
const readErrors = new Set([6, 13, 18])
const writeErrors = new Set([7, 12, 17])
const allFaults = 16 | 32 | 128 | 256
const selectors = { code: 8, data: 0x10, thread: 0x18 }

const shared: { library?: Library } = {}
const sharedLibrary = () => {
  shared.library ??= loadLibrary()
  return shared.library
}

/**
 * An emulated x86 that runs until it stops, without callbacks for calls or instructions. Functions of the system are not
 * executable, so that calling one stops the machine.
 */
export class Machine {
  readonly bits: 32 | 64
  readonly pointerSize: 4 | 8
  readonly #library = sharedLibrary()
  readonly #uc: Handle
  readonly #word = Buffer.alloc(8)
  readonly #deadline: Deadline
  #fault = 0
  #interrupt: number | undefined
  #asked = false
  /** Address at which to stop; 0 for none. */
  until = 0

  constructor(bits: 32 | 64, emulateMs: number) {
    this.bits = bits
    this.pointerSize = bits === 64 ? 8 : 4
    const handle: [Handle | null] = [null]
    this.#check(this.#library.open(4, bits === 64 ? 8 : 4, handle), 'open')
    this.#uc = handle[0] as Handle
    this.#library.hookMemory(this.#uc, allFaults, (address) => {
      this.#fault = address
    })
    this.#library.hookInterrupts(this.#uc, (number) => {
      this.#interrupt = number
      this.#library.stop(this.#uc)
    })
    this.#deadline = deadlineIn(emulateMs)
    watch(this.#library.addressOf(this.#uc), this.#deadline)
  }

  get isLate(): boolean {
    return isOver(this.#deadline)
  }

  get version(): string {
    return this.#library.version
  }

  #check(error: number, action: string): void {
    if (error !== 0) throw new Error(`The emulator could not ${action}: error ${error}.`)
  }

  map(address: number, size: number, permissions: number): void {
    this.#check(this.#library.map(this.#uc, address, size, permissions), `map ${size} bytes at ${address.toString(16)}`)
  }

  unmap(address: number, size: number): void {
    this.#check(this.#library.unmap(this.#uc, address, size), `unmap ${address.toString(16)}`)
    this.#library.forget(this.#uc, address, address + size)
  }

  protect(address: number, size: number, permissions: number): void {
    this.#check(this.#library.protect(this.#uc, address, size, permissions), `protect ${address.toString(16)}`)
    if (!(permissions & permission.execute)) this.#library.forget(this.#uc, address, address + size)
  }

  /** Returns undefined if the range is not completely mapped. */
  read(address: number, size: number): Buffer | undefined {
    if (!Number.isSafeInteger(address) || address < 0) return undefined
    const bytes = Buffer.alloc(size)
    return size === 0 || this.#library.read(this.#uc, address, bytes, size) === 0 ? bytes : undefined
  }

  /** Returns false if the range is not mapped. */
  write(address: number, bytes: Uint8Array): boolean {
    if (bytes.length === 0) return true
    if (!Number.isSafeInteger(address) || address < 0) return false
    if (this.#library.write(this.#uc, address, bytes, bytes.length) !== 0) return false
    this.#library.forget(this.#uc, address, address + bytes.length)
    return true
  }

  readPointer(address: number): number {
    const bytes = this.read(address, this.pointerSize)
    if (!bytes) return 0
    return this.pointerSize === 8 ? Number(bytes.readBigUInt64LE()) : bytes.readUInt32LE()
  }

  writePointer(address: number, value: number): boolean {
    const bytes = Buffer.alloc(this.pointerSize)
    if (this.pointerSize === 8) bytes.writeBigUInt64LE(BigInt.asUintN(64, BigInt(value)))
    else bytes.writeUInt32LE(value >>> 0)
    return this.write(address, bytes)
  }

  get(name: RegisterName): bigint {
    this.#word.fill(0)
    this.#library.readRegister(this.#uc, registers[this.bits][name] as number, this.#word)
    return this.#word.readBigUInt64LE()
  }

  set(name: RegisterName, value: bigint | number): void {
    this.#word.writeBigUInt64LE(BigInt.asUintN(this.bits, BigInt(value)))
    this.#library.writeRegister(this.#uc, registers[this.bits][name] as number, this.#word)
  }

  get pc(): number {
    return Number(this.get('ip'))
  }

  set pc(address: number) {
    this.set('ip', address)
  }

  get sp(): number {
    return Number(this.get('sp'))
  }

  set sp(address: number) {
    this.set('sp', address)
  }

  push(value: number): void {
    this.sp -= this.pointerSize
    this.writePointer(this.sp, value)
  }

  pop(): number {
    const value = this.readPointer(this.sp)
    this.sp += this.pointerSize
    return value
  }

  /** Sets the thread-local base: FS on 32 bits, by a descriptor in the GDT at `table`; on 64 bits GS, or FS on Linux. */
  setThreadData(address: number, table: number, register: 'fs' | 'gs'): void {
    if (this.bits === 64) {
      this.#word.writeBigUInt64LE(BigInt(address))
      const number = register === 'gs' ? segments.gsBase : segments.fsBase
      this.#library.writeRegister(this.#uc, number, this.#word)
      return
    }
    // Flat code and data segments, and a segment of the thread's data.
    this.write(table + selectors.code, Buffer.from([0xff, 0xff, 0, 0, 0, 0x9b, 0xcf, 0]))
    this.write(table + selectors.data, Buffer.from([0xff, 0xff, 0, 0, 0, 0x93, 0xcf, 0]))
    const descriptor = Buffer.from([0xff, 0xff, 0, 0, 0, 0x93, 0xcf, 0])
    descriptor.writeUIntLE(address & 0xff_ffff, 2, 3)
    descriptor.writeUInt8(address >>> 24, 7)
    this.write(table + selectors.thread, descriptor)
    const gdtr = Buffer.alloc(24)
    gdtr.writeBigUInt64LE(BigInt(table), 8)
    gdtr.writeUInt32LE(0xfff, 16)
    this.#library.writeRegister(this.#uc, segments.gdtr, gdtr)
    const select = (segment: number, selector: number) => {
      this.#word.writeBigUInt64LE(BigInt(selector))
      this.#library.writeRegister(this.#uc, segment, this.#word)
    }
    select(segments.cs, selectors.code)
    for (const segment of [segments.ds, segments.es, segments.ss, segments.gs]) select(segment, selectors.data)
    select(segments.fs, selectors.thread)
  }

  /** Thread-local base on Linux. */
  get threadData(): number {
    this.#library.readRegister(this.#uc, segments.fsBase, this.#word.fill(0))
    return Number(this.#word.readBigUInt64LE())
  }

  onSystemCall(callback: () => void): void {
    this.#library.hookSystemCalls(this.#uc, callback)
  }

  onBlocks(from: number, to: number, callback: (address: number, size: number) => void): void {
    this.#library.hookBlocks(this.#uc, from, to, callback)
  }

  /** Stops the machine from within a hook. */
  ask(): void {
    this.#asked = true
    this.#library.stop(this.#uc)
  }

  /** Continues from `pc` until it stops. */
  run(): Stop {
    if (this.isLate) return { why: 'time' }
    this.#interrupt = undefined
    this.#asked = false
    const error = this.#library.start(this.#uc, this.pc, this.until, 0, 0)
    if (this.#asked) return { why: 'asked' }
    if (this.#interrupt !== undefined) return { why: 'interrupt', number: this.#interrupt }
    if (error === errors.fetchUnmapped || error === errors.fetchForbidden) return { why: 'fetch' }
    if (error === errors.invalid) return { why: 'illegal' }
    if (readErrors.has(error)) return { why: 'access', address: this.#fault, isWrite: false }
    if (writeErrors.has(error)) return { why: 'access', address: this.#fault, isWrite: true }
    if (error === errors.exception) return { why: 'interrupt', number: -1 }
    if (this.pc === 0) return { why: 'fetch' }
    if (this.until !== 0 && this.pc === this.until) return { why: 'reached' }
    return { why: this.isLate ? 'time' : 'halt' }
  }

  close(): void {
    unwatch()
    this.#library.close(this.#uc)
  }
}
