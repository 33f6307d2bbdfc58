import { limits } from '../limits.ts'
import type { AddressSpace, Region } from '../memory/address-space.ts'
import { importsOf, tlsCallbacks } from '../pe/imports.ts'
import { imageOf, type Pe } from '../pe/parse.ts'
import { type Pause, RunningProgram } from '../running.ts'
import { hex } from '../trace.ts'
import { apis, argumentsOf } from './api/index.ts'
import { Call, deferred } from './call.ts'
import { Environment, programPath } from './environment.ts'
import { Exceptions } from './exceptions.ts'
import { Modules, type SystemFunction } from './modules.ts'
import { OwnFile } from './own-file.ts'

const stackSize = 0x100000
const alwaysLoaded = ['ntdll.dll', 'kernel32.dll', 'kernelbase.dll', 'user32.dll', 'advapi32.dll', 'msvcrt.dll']
/** Arguments in the report of functions whose count is unknown. */
const defaultArguments = 4

/** An emulated Windows process. */
export class WindowsProcess extends RunningProgram {
  readonly pe: Pe
  readonly image: Region
  readonly modules: Modules
  readonly handles = new Handles()
  readonly ownFile: OwnFile
  readonly environment: Environment
  readonly exceptions: Exceptions
  readonly #exit: SystemFunction
  readonly #continue: SystemFunction

  constructor(space: AddressSpace, pe: Pe, file: Buffer) {
    super(space)
    this.pe = pe
    this.ownFile = new OwnFile(file)
    const image = imageOf(file, pe)
    this.image = space.map(pe.base, pe.imageSize, 'image', 'program')
    this.modules = new Modules(space)
    for (const name of alwaysLoaded) this.modules.load(name)
    for (const { library, name, slot } of importsOf(image, pe)) {
      const { address } = this.modules.imported(library, name)
      if (pe.bits === 64) image.writeBigUInt64LE(BigInt(address), slot)
      else image.writeUInt32LE(address, slot)
    }
    this.machine.write(pe.base, image)
    this.layers.recordLoaded(this.image)
    this.#exit = this.modules.imported('kernel32.dll', '$exit')
    this.#continue = this.modules.imported('kernel32.dll', '$continue')
    const stack = space.map(space.isFree(0x20000, stackSize) ? 0x20000 : 0x6ff0_0000, stackSize, 'stack', 'stack')
    this.environment = new Environment(space)
    this.environment.fill({ base: pe.base, entry: pe.entry, size: pe.imageSize }, stack, this.modules.all)
    this.exceptions = new Exceptions(this)
    fillRuntime(this)
    this.machine.sp = stack.start + stack.size - 0x1000
    this.machine.set('flags', 0x246)
    this.#begin(tlsCallbacks(image, pe))
  }

  /** Calls the TLS callbacks in order, then the entry point. */
  #begin(callbacks: readonly number[]): void {
    const [first, ...rest] = callbacks
    if (first !== undefined) {
      this.callProgram(first, [this.pe.base, 1, 0], () => this.#begin(rest))
      return
    }
    const { base, entry, isLibrary } = this.pe
    if (isLibrary) {
      this.callProgram(base + entry, [base, 1, 0], () =>
        this.stop({ why: 'exit', text: 'the library was initialized' }),
      )
      return
    }
    this.machine.sp -= this.machine.sp % 16
    this.machine.push(this.#exit.address)
    const registers = this.machine.bits === 64 ? (['cx', 'dx', 'r8'] as const) : (['ax', 'dx'] as const)
    for (const name of registers) this.machine.set(name, base + entry)
    if (this.machine.bits === 64) this.machine.set('cx', this.environment.process)
    else this.machine.set('bx', this.environment.process)
    this.machine.pc = base + entry
  }

  /** Calls a function of the program; `after` gets its result, with the stack restored. */
  callProgram(address: number, values: readonly number[], after: (result: number) => void): void {
    const { machine } = this
    const pass = () => {
      if (machine.bits === 64) {
        for (const [index, name] of (['cx', 'dx', 'r8', 'r9'] as const).entries()) machine.set(name, values[index] ?? 0)
        machine.sp -= 0x20
      } else {
        machine.sp -= 16
        for (const value of values.toReversed()) machine.push(value)
      }
    }
    this.enterFunction(address, pass, this.#continue.address, after)
  }

  protected handle(stop: Pause): void {
    if (stop.why === 'fetch') this.#arrive(this.machine.pc)
    else if (stop.why !== 'asked' && stop.why !== 'reached') this.exceptions.raise(stop)
  }

  #arrive(address: number): void {
    const target = this.modules.functionAt(address)
    if (target === this.#continue) this.resume()
    else if (target === this.#exit)
      this.stop({ why: 'exit', text: `the program returned ${hex(this.machine.get('ax'))}` })
    else if (target) this.#answer(target)
    else this.#enter(address)
  }

  #enter(address: number): void {
    const region = this.space.at(address)
    if (!region || region.kind === 'system') {
      this.exceptions.raise({ why: 'access', address, isWrite: false })
      return
    }
    this.step(address, region)
  }

  #answer(target: SystemFunction): void {
    this.clockMs += 0.01
    const { machine, layer } = this
    const call = new Call(this, target)
    const returnTo = machine.readPointer(machine.sp)
    const count = target.pops ?? argumentsOf[target.name] ?? defaultArguments
    const values =
      this.trace.calls.length < limits.listedCalls
        ? Array.from({ length: count }, (_, index) => call.format(index))
        : []
    const sp = machine.sp
    const answer = (apis[target.name] ?? succeed)(call)
    const name = `${target.library.replace(/\.dll$/, '')}.${target.name}`
    this.record({ name, arguments: values, layer, result: answer === deferred ? '' : hex(answer) })
    if (answer === deferred) return
    machine.set('ax', answer)
    machine.sp = sp + machine.pointerSize + (machine.bits === 32 ? 4 * (target.pops ?? 0) : 0)
    machine.pc = returnTo
  }

  /** Returns from a function that called the program. */
  returnFrom({ pops = 0 }: SystemFunction, answer: number): void {
    const { machine } = this
    machine.set('ax', answer)
    const returnTo = machine.pop()
    if (machine.bits === 32) machine.sp += 4 * pops
    machine.pc = returnTo
  }
}

const succeed = () => 1

/** Emulated handles of a program. */
class Handles {
  readonly #kinds = new Map<number, string>()
  #next = 0x40

  open(kind: string): number {
    this.#next += 4
    this.#kinds.set(this.#next, kind)
    return this.#next
  }

  close(handle: number): boolean {
    return this.#kinds.delete(handle)
  }

  kindOf(handle: number): string | undefined {
    return this.#kinds.get(handle)
  }
}

/** Writes data exports of the C library into their slots. */
function fillRuntime({ modules, machine, heap }: WindowsProcess): void {
  const pointerTo = (bytes: Uint8Array) => {
    const at = heap.allocate(bytes.length)
    machine.write(at, bytes)
    return at
  }
  const command = Buffer.from(`"${programPath}"\0`, 'latin1')
  const values: Readonly<Record<string, () => number>> = {
    _acmdln: () => pointerTo(command),
    _wcmdln: () => pointerTo(Buffer.from(command.toString('latin1'), 'utf16le')),
    __initenv: () => pointerTo(Buffer.alloc(16)),
    _environ: () => pointerTo(Buffer.alloc(16)),
    __argc: () => 1,
    _fmode: () => 0x4000,
    _commode: () => 0,
  }
  for (const [name, value] of Object.entries(values))
    machine.writePointer(modules.imported('msvcrt.dll', name).address, value())
}
