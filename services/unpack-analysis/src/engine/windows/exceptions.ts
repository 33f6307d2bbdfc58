import { limits } from '../limits.ts'
import { hex } from '../trace.ts'
import type { Stop } from '../unicorn/machine.ts'
import type { RegisterName } from '../unicorn/registers.ts'
import type { WindowsProcess } from './process.ts'

const codes = {
  breakpoint: 0x8000_0003,
  singleStep: 0x8000_0004,
  access: 0xc000_0005,
  illegal: 0xc000_001d,
  division: 0xc000_0094,
  privileged: 0xc000_0096,
}

/** Offsets of registers in the context, which a handler may change. */
const contexts: Readonly<
  Record<
    32 | 64,
    {
      readonly size: number
      readonly flags: readonly [at: number, value: number]
      readonly at: Readonly<Partial<Record<RegisterName, number>>>
    }
  >
> = {
  32: {
    size: 0x2cc,
    flags: [0, 0x1003f],
    at: { di: 0x9c, si: 0xa0, bx: 0xa4, dx: 0xa8, cx: 0xac, ax: 0xb0, bp: 0xb4, ip: 0xb8, flags: 0xc0, sp: 0xc4 },
  },
  64: {
    size: 0x4d0,
    flags: [0x30, 0x10001f],
    at: {
      ...{ flags: 0x44, ax: 0x78, cx: 0x80, dx: 0x88, bx: 0x90, sp: 0x98, bp: 0xa0, si: 0xa8, di: 0xb0, ip: 0xf8 },
      ...{ r8: 0xb8, r9: 0xc0, r10: 0xc8, r11: 0xd0, r12: 0xd8, r13: 0xe0, r14: 0xe8, r15: 0xf0 },
    },
  },
}

/** Stops that become exceptions of the program. */
type Fault = Exclude<Stop, { readonly why: 'fetch' | 'time' | 'asked' | 'reached' }>

interface Exception {
  readonly code: number
  readonly address: number
  readonly details: readonly number[]
}

/** `EXCEPTION_CONTINUE_EXECUTION` of vectored handlers and filters; frames have 0 for it. */
const continueExecution = -1

/**
 * Dispatches faults to the program's handlers: vectored ones, then the chain of frames (32 bits), then the filter for unhandled
 * exceptions. Unwind tables (64 bits) are not supported.
 */
export class Exceptions {
  readonly vectored: number[] = []
  filter = 0
  readonly #process: WindowsProcess
  #count = 0

  constructor(process: WindowsProcess) {
    this.#process = process
  }

  raise(stop: Fault): void {
    this.throw(this.#exceptionOf(stop))
  }

  throw(exception: Exception): void {
    const process = this.#process
    process.trace.event(`exception ${hex(exception.code)} at ${hex(exception.address)}`)
    if (++this.#count > limits.exceptions)
      process.stop({ why: 'limit', text: `the program exception ${limits.exceptions.toLocaleString('en')} exceptions` })
    else this.#dispatch(exception)
  }

  #dispatch(exception: Exception): void {
    const process = this.#process
    const { machine } = process
    const { size } = contexts[machine.bits]
    const before = machine.sp
    let at = before - 0x100
    at -= at % 16
    const context = at - Math.ceil(size / 16) * 16
    const record = context - 0xa0
    const pointers = record - 0x20
    if (!this.#writeContext(context, exception.address, before) || !this.#writeRecord(record, exception)) {
      this.#unhandled(exception)
      return
    }
    machine.writePointer(pointers, record)
    machine.writePointer(pointers + machine.pointerSize, context)
    machine.sp = pointers - 0x40
    const handlers = [
      ...this.vectored.map((handler) => this.#pointersHandler(handler, pointers)),
      ...this.#frames().map(([frame, handler]) => this.#frameHandler(handler, [record, frame, context, 0])),
      ...(this.filter === 0 ? [] : [this.#pointersHandler(this.filter, pointers)]),
    ]
    this.#tryNext(handlers, context, exception)
  }

  #pointersHandler = (handler: number, pointers: number) => ({
    handler,
    values: [pointers],
    handled: continueExecution,
  })
  #frameHandler = (handler: number, values: readonly number[]) => ({ handler, values, handled: 0 })

  #tryNext(
    handlers: readonly { handler: number; values: readonly number[]; handled: number }[],
    context: number,
    exception: Exception,
  ): void {
    const [first, ...rest] = handlers
    if (first)
      this.#process.callProgram(first.handler, first.values, (result) => {
        if ((result | 0) === first.handled) this.#readContext(context)
        else this.#tryNext(rest, context, exception)
      })
    else this.#unhandled(exception)
  }

  #unhandled({ code, address, details }: Exception): void {
    const where = code === codes.access ? `: it could not ${details[0] ? 'write' : 'read'} ${hex(details[1] ?? 0)}` : ''
    this.#process.stop({
      why: 'fault',
      text: `exception ${hex(code)} at ${hex(address)}${where}, which was not handled`,
    })
  }

  /** Reads the chain of frames on the program's stack. */
  #frames(): [frame: number, handler: number][] {
    const { machine, environment } = this.#process
    if (machine.bits === 64) return []
    const frames: [number, number][] = []
    for (
      let frame = machine.readPointer(environment.thread);
      frame !== 0xffff_ffff && frame !== 0 && frames.length < 64;
    ) {
      const handler = machine.readPointer(frame + 4)
      if (handler === 0) break
      frames.push([frame, handler])
      frame = machine.readPointer(frame)
    }
    return frames
  }

  #writeContext(at: number, address: number, sp: number): boolean {
    const { machine } = this.#process
    const { size, flags, at: places } = contexts[machine.bits]
    const bytes = Buffer.alloc(size)
    bytes.writeUInt32LE(flags[1], flags[0])
    for (const [name, place] of Object.entries(places) as [RegisterName, number][]) {
      const value = name === 'ip' ? BigInt(address) : name === 'sp' ? BigInt(sp) : machine.get(name)
      if (machine.bits === 64 && name !== 'flags') bytes.writeBigUInt64LE(BigInt.asUintN(64, value), place)
      else bytes.writeUInt32LE(Number(BigInt.asUintN(32, value)), place)
    }
    return machine.write(at, bytes)
  }

  #readContext(at: number): void {
    const { machine } = this.#process
    const { size, at: places } = contexts[machine.bits]
    const bytes = machine.read(at, size)
    if (!bytes) {
      this.#process.stop({ why: 'fault', text: 'a handler destroyed its context' })
      return
    }
    for (const [name, place] of Object.entries(places) as [RegisterName, number][])
      machine.set(
        name,
        machine.bits === 64 && name !== 'flags' ? bytes.readBigUInt64LE(place) : bytes.readUInt32LE(place),
      )
  }

  #writeRecord(at: number, { code, address, details }: Exception): boolean {
    const { machine } = this.#process
    const bytes = Buffer.alloc(0x98)
    const is64 = machine.bits === 64
    bytes.writeUInt32LE(code >>> 0, 0)
    if (is64) bytes.writeBigUInt64LE(BigInt.asUintN(64, BigInt(address)), 0x10)
    else bytes.writeUInt32LE(address >>> 0, 12)
    bytes.writeUInt32LE(details.length, is64 ? 0x18 : 16)
    for (const [index, detail] of details.entries())
      if (is64) bytes.writeBigUInt64LE(BigInt.asUintN(64, BigInt(detail)), 0x20 + index * 8)
      else bytes.writeUInt32LE(detail >>> 0, 20 + index * 4)
    return machine.write(at, bytes)
  }

  /** Converts a stop to an exception. For access faults, the address is that of the block: the machine has no finer one. */
  #exceptionOf(stop: Fault): Exception {
    const { machine } = this.#process
    const address = machine.pc
    const plain = (code: number, at = address) => ({ code, address: at, details: [] })
    if (stop.why === 'access') return { code: codes.access, address, details: [stop.isWrite ? 1 : 0, stop.address] }
    if (stop.why === 'halt') return plain(codes.privileged, address - 1)
    if (stop.why === 'illegal')
      return machine.read(address, 1)?.[0] === 0xf1 ? plain(codes.singleStep, address + 1) : plain(codes.illegal)
    const { number } = stop
    if (number === 3) return plain(codes.breakpoint, address - 1)
    if (number === 0x2d) return plain(codes.breakpoint)
    if (number === 1) return plain(codes.singleStep)
    return number === 0 || number === 8 ? plain(codes.division) : plain(codes.privileged)
  }
}
