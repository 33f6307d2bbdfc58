import { elfAround } from '../elf/memory.ts'
import { type Elf, imageOf, interpreterOf, programHeaderSize } from '../elf/parse.ts'
import { limits } from '../limits.ts'
import type { AddressSpace, Region } from '../memory/address-space.ts'
import { type Pause, RunningProgram } from '../running.ts'
import { hex } from '../trace.ts'
import { roundUp, type Stop } from '../unicorn/machine.ts'
import { type Answer, Call, deferred } from './call.ts'
import { Files } from './files.ts'
import { functions } from './library/index.ts'
import { Linker, linkerEntry, linkerFile, linkerName } from './linker.ts'
import names from './names.json' with { type: 'json' }
import { Signals } from './signals.ts'
import { AT, readAuxv, writeInitialStack } from './stack.ts'
import { argumentCount, sizedArgument, systemCalls } from './system/index.ts'

const stackSize = 0x200000
const stackAt = 0x7ffd_0000_0000
const movableAt = 0x5555_5555_4000
/** Address of the linker, for programs that name one. */
const linkerAt = 0x7ff7_0000_0000
const callNames = names.split(' ')

/** An emulated Linux process. */
export class LinuxProcess extends RunningProgram {
  readonly files = new Files()
  readonly linker: Linker
  readonly signals: Signals
  readonly file: Buffer
  /** Start of the memory that grows by `brk`. */
  readonly breakFrom: number
  breakAt: number
  /** A program that it wrote and started. */
  started: Buffer | undefined
  /** Initializers of the program. */
  init: readonly number[] = []
  readonly #continue: number

  constructor(space: AddressSpace, elf: Elf, file: Buffer) {
    super(space)
    this.file = file
    const moved = elf.isMovable ? movableAt - elf.start : 0
    const image = space.map(elf.start + moved, elf.end - elf.start, 'image', 'program')
    this.machine.write(image.start, imageOf(file, elf))
    this.layers.recordLoaded(image)
    this.breakFrom = image.start + image.size + 0x1000
    this.breakAt = this.breakFrom
    this.linker = new Linker(space)
    this.signals = new Signals(this)
    this.#continue = this.linker.addressOf('$continue')
    const stack = space.map(stackAt, stackSize, 'stack', 'stack')
    const interpreter = interpreterOf(file, elf)
    if (interpreter !== undefined)
      this.machine.write(space.map(linkerAt, 0x1000, 'system', linkerName).start, linkerFile())
    writeInitialStack(
      this.machine,
      stack.start + stack.size,
      new Map([
        [AT.phdr, elf.start + moved + elf.headersAt],
        [AT.phent, programHeaderSize],
        [AT.phnum, elf.segments.length],
        [AT.base, interpreter === undefined ? 0 : linkerAt],
        [AT.entry, elf.entry + moved],
      ]),
    )
    this.machine.set('flags', 0x202)
    this.machine.pc = interpreter === undefined ? elf.entry + moved : linkerAt + linkerEntry
    this.machine.onSystemCall(() => this.machine.ask())
  }

  unmap(start: number, size: number): void {
    this.space.unmap(start, size)
    this.layers.forget(start, roundUp(size))
  }

  protected handle(stop: Pause): void {
    if (stop.why === 'fetch') this.#arrive(this.machine.pc)
    else if (stop.why === 'asked') this.#answerSystem()
    else if (stop.why === 'reached') this.#begin(this.machine.pc)
    else this.#fault(stop)
  }

  #fault(stop: Stop): void {
    const raised = this.signals.raise(stop)
    if (!raised.isHandled) this.stop({ why: 'fault', text: `${raised.text} was not handled` })
  }

  #arrive(address: number): void {
    const name = this.linker.functionAt(address)
    const region = this.space.at(address)
    if (address === this.#continue) this.resume()
    else if (address === this.signals.returnsAt) this.signals.restore()
    else if (name !== undefined) this.#answerLibrary(name)
    else if (region?.name === linkerName) this.#link()
    else if (!region || region.kind === 'system') this.#fault({ why: 'access', address, isWrite: false })
    else this.#enter(address, region)
  }

  #enter(address: number, region: Region): void {
    const transition = this.step(address, region)
    if (!transition) return
    const mapped = elfAround(transition.memory, address)
    const entry = mapped ? mapped.elf.entry + mapped.moved : 0
    this.machine.until = entry === address ? 0 : entry
  }

  /** Handles the arrival at the entry point of the program's headers. */
  #begin(entry: number): void {
    this.machine.until = 0
    const region = this.space.at(entry)
    const last = this.layers.transitions.at(-1)
    if (!region || region.kind === 'system' || !this.layers.begin(entry, region, this.trace.count)) return
    if (last && elfAround(last.memory, last.target)) last.hasReturned = true
    this.trace.event(`layer ${this.layer}: began at its entry point ${hex(entry)}`)
  }

  /** The program is unpacked: records it before linking. */
  #link(): void {
    const auxv = readAuxv(this.machine)
    const entry = auxv.get(AT.entry) ?? 0
    const region = this.space.at(entry)
    if (!region || region.kind === 'system') {
      this.#fault({ why: 'access', address: entry, isWrite: false })
      return
    }
    this.#enter(entry, region)
    this.#begin(entry)
    const headers = auxv.get(AT.phdr) ?? 0
    try {
      this.init = this.linker.link(headers - (headers % 0x1000))
    } catch {
      this.trace.event('the program could not be linked: its headers are invalid')
    }
    this.machine.setThreadData(this.heap.allocate(0x1000) + 0x800, 0, 'fs')
    this.machine.set('dx', 0)
    this.machine.pc = entry
  }

  callName(number: number): string {
    return callNames[number] || `#${number}`
  }

  #answerSystem(): void {
    const { machine } = this
    const name = this.callName(Number(machine.get('ax')))
    machine.set('cx', machine.pc)
    machine.set('r11', machine.get('flags'))
    const answer = this.#traced(new Call(this, name, 'system'), systemCalls[name] ?? (() => -38))
    if (answer !== deferred) machine.set('ax', BigInt.asUintN(64, BigInt(answer)))
  }

  #answerLibrary(name: string): void {
    const { machine } = this
    const sp = machine.sp
    const returnTo = machine.readPointer(sp)
    const answer = this.#traced(new Call(this, name, 'library'), functions[name] ?? (() => 0))
    if (answer === deferred) return
    machine.set('ax', BigInt.asUintN(64, BigInt(answer)))
    machine.sp = sp + 8
    machine.pc = returnTo
  }

  #traced(call: Call, work: (call: Call) => Answer): Answer {
    this.clockMs += 0.01
    const { layer } = this
    const [text, size] = sizedArgument[call.name] ?? []
    const values =
      this.trace.calls.length < limits.listedCalls
        ? Array.from({ length: argumentCount(call.name) }, (_, index) =>
            call.format(index, index === text && size !== undefined ? call.argument(size) : undefined),
          )
        : []
    const answer = work(call)
    const result = answer === deferred ? '' : Number(answer) < 0 ? String(answer) : hex(answer)
    this.record({ name: `${call.of}.${call.name}`, arguments: values, layer, result })
    return answer
  }

  /** Calls a function of the program; `after` gets its result, with the stack restored. */
  callProgram(address: number, values: readonly number[], after: (result: number) => void): void {
    const pass = () => {
      for (const [index, name] of (['di', 'si', 'dx'] as const).entries()) this.machine.set(name, values[index] ?? 0)
    }
    this.enterFunction(address, pass, this.#continue, after)
  }

  /** Returns from a library function that called the program. */
  returnFromLibrary(answer: number): void {
    this.machine.set('ax', answer)
    this.machine.pc = this.machine.pop()
  }
}
