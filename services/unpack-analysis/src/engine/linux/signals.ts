import { limits } from '../limits.ts'
import { hex } from '../trace.ts'
import type { Stop } from '../unicorn/machine.ts'
import type { RegisterName } from '../unicorn/registers.ts'
import type { LinuxProcess } from './process.ts'

const signals = { illegal: 4, trap: 5, arithmetic: 8, memory: 11 }

/** Registers in the order of the context, which a handler may change. */
const order: readonly RegisterName[] = [
  ...(['r8', 'r9', 'r10', 'r11', 'r12', 'r13', 'r14', 'r15'] as const),
  ...(['di', 'si', 'bp', 'bx', 'dx', 'ax', 'cx', 'sp', 'ip', 'flags'] as const),
]
const registersAt = 40
const contextSize = 0x3c0
/** Leaf functions use this space below the stack pointer. */
const redZone = 128

/** Delivers faults to the program's signal handlers. */
export class Signals {
  readonly handlers = new Map<number, number>()
  /** Return address of handlers. */
  readonly returnsAt: number
  readonly #process: LinuxProcess
  #count = 0

  constructor(process: LinuxProcess) {
    this.#process = process
    this.returnsAt = process.linker.addressOf('$handled')
  }

  raise(stop: Stop): { readonly isHandled: boolean; readonly text: string } {
    const { machine, trace } = this.#process
    const number = signalOf(stop)
    const where = stop.why === 'access' ? ` for ${hex(stop.address)}` : ''
    const text = `signal ${number} at ${hex(machine.pc)}${where}`
    trace.event(text)
    return { text, isHandled: ++this.#count <= limits.exceptions && this.deliver(number, stop) }
  }

  /** Enters the program's handler. Returns false if there is none. */
  deliver(number: number, stop?: Stop): boolean {
    const { machine } = this.#process
    const handler = this.handlers.get(number) ?? 0
    if (handler <= 1) return handler === 1 && stop === undefined
    const context = machine.sp - redZone - contextSize - ((machine.sp - redZone) % 16)
    const info = context - 0x80
    const registers = Buffer.alloc(order.length * 8)
    for (const [index, name] of order.entries()) registers.writeBigUInt64LE(machine.get(name), index * 8)
    const details = Buffer.alloc(0x80)
    details.writeInt32LE(number)
    details.writeBigUInt64LE(BigInt(stop?.why === 'access' ? stop.address : machine.pc), 16)
    if (!machine.write(context + registersAt, registers) || !machine.write(info, details)) return false
    // `restore` expects the context above the handler's frame.
    machine.sp = info - 16
    machine.writePointer(machine.sp, context)
    machine.push(this.returnsAt)
    for (const [name, value] of [
      ['di', number],
      ['si', info],
      ['dx', context],
    ] as const)
      machine.set(name, value)
    machine.pc = handler
    return true
  }

  /** Continues the program with the registers of a handler that returned. */
  restore(): void {
    const { machine } = this.#process
    const context = machine.readPointer(machine.sp)
    const registers = machine.read(context + registersAt, order.length * 8)
    if (!registers) {
      this.#process.stop({ why: 'fault', text: 'a signal handler destroyed the stack' })
      return
    }
    for (const [index, name] of order.entries()) machine.set(name, registers.readBigUInt64LE(index * 8))
  }
}

function signalOf(stop: Stop): number {
  if (stop.why === 'illegal') return signals.illegal
  if (stop.why !== 'interrupt') return signals.memory
  if (stop.number === 0) return signals.arithmetic
  return stop.number === 1 || stop.number === 3 ? signals.trap : signals.memory
}
