import type { AddressSpace } from '../memory/address-space.ts'
import type { Module } from './modules.ts'

/** Offsets in the thread and process environment blocks. */
const layouts = {
  32: {
    thread: {
      stackBase: 4,
      stackLimit: 8,
      self: 0x18,
      processId: 0x20,
      threadId: 0x24,
      tls: 0x2c,
      process: 0x30,
      lastError: 0x34,
    },
    process: { image: 8, loader: 0xc, parameters: 0x10, heap: 0x18, processors: 0x64, version: 0xa4 },
    loader: [0xc, 0x14, 0x1c],
    entry: { links: [0, 8, 0x10], base: 0x18, entry: 0x1c, size: 0x20, fullName: 0x24, name: 0x2c },
    parameters: { image: 0x38, command: 0x40 },
    heapFlags: 0x40,
  },
  64: {
    thread: {
      stackBase: 8,
      stackLimit: 0x10,
      self: 0x30,
      processId: 0x40,
      threadId: 0x48,
      tls: 0x58,
      process: 0x60,
      lastError: 0x68,
    },
    process: { image: 0x10, loader: 0x18, parameters: 0x20, heap: 0x30, processors: 0xb8, version: 0x118 },
    loader: [0x10, 0x20, 0x30],
    entry: { links: [0, 0x10, 0x20], base: 0x30, entry: 0x38, size: 0x40, fullName: 0x48, name: 0x58 },
    parameters: { image: 0x60, command: 0x70 },
    heapFlags: 0x70,
  },
} as const

export const programPath = 'C:\\Users\\user\\Desktop\\sample.exe'
export const processId = 4312
export const threadId = 4316
const size = 0x20000

/** TEB, PEB and the list of loaded modules, without traces of a debugger. */
export class Environment {
  readonly thread: number
  readonly process: number
  readonly heap: number
  readonly #space: AddressSpace
  #free: number

  constructor(space: AddressSpace) {
    this.#space = space
    const at = space.machine.bits === 64 ? 0x7ff5_0000_0000 : 0x7ffc_0000
    space.map(at, size, 'system', 'process')
    this.thread = at
    this.process = at + 0x2000
    this.heap = at + 0x3000
    this.#free = at + 0x5000
  }

  get #layout() {
    return layouts[this.#space.machine.bits]
  }

  get #table(): number {
    return this.thread + 0x1000
  }

  #allocate(bytes: number): number {
    const at = this.#free
    this.#free += Math.ceil(bytes / 16) * 16
    return at
  }

  #writeText(at: number, text: string): void {
    const { machine } = this.#space
    const content = Buffer.from(`${text}\0`, 'utf16le')
    const textAt = this.#allocate(content.length)
    machine.write(textAt, content)
    const lengths = Buffer.alloc(4)
    lengths.writeUInt16LE(content.length - 2, 0)
    lengths.writeUInt16LE(content.length, 2)
    machine.write(at, lengths)
    machine.writePointer(at + machine.pointerSize, textAt)
  }

  fill(
    image: { readonly base: number; readonly entry: number; readonly size: number },
    stack: { readonly start: number; readonly size: number },
    modules: readonly Module[],
  ): void {
    const { machine } = this.#space
    const { thread, process, parameters, heapFlags } = this.#layout
    const write = (at: number, value: number) => machine.writePointer(at, value)
    write(this.thread, machine.bits === 64 ? 0 : 0xffff_ffff)
    write(this.thread + thread.stackBase, stack.start + stack.size)
    write(this.thread + thread.stackLimit, stack.start)
    write(this.thread + thread.self, this.thread)
    write(this.thread + thread.processId, processId)
    write(this.thread + thread.threadId, threadId)
    write(this.thread + thread.tls, this.#allocate(0x200))
    write(this.thread + thread.process, this.process)
    write(this.process + process.image, image.base)
    write(this.process + process.heap, this.heap)
    machine.write(this.heap + heapFlags, Buffer.from([2, 0, 0, 0, 0, 0, 0, 0]))
    machine.write(this.process + process.processors, Buffer.from([4, 0, 0, 0]))
    machine.write(this.process + process.version, Buffer.from([10, 0, 0, 0, 0, 0, 0, 0, 0x65, 0x4a]))
    const block = this.#allocate(0x100)
    write(this.process + process.parameters, block)
    this.#writeText(block + parameters.image, programPath)
    this.#writeText(block + parameters.command, `"${programPath}"`)
    this.#list([{ ...image, name: 'sample.exe' }, ...modules.map((module) => ({ ...module, entry: 0 }))])
    machine.setThreadData(this.thread, this.#table, 'gs')
  }

  /** Writes the three circular module lists. */
  #list(
    modules: readonly { readonly name: string; readonly base: number; readonly entry: number; readonly size: number }[],
  ): void {
    const { machine } = this.#space
    const { process, loader: heads, entry } = this.#layout
    const loader = this.#allocate(0x60)
    machine.writePointer(this.process + process.loader, loader)
    machine.write(loader, Buffer.from([0x58, 0, 0, 0, 1]))
    const entries = modules.map((module) => {
      const at = this.#allocate(0x120)
      machine.writePointer(at + entry.base, module.base)
      machine.writePointer(at + entry.entry, module.entry === 0 ? 0 : module.base + module.entry)
      machine.write(at + entry.size, Buffer.from(Uint32Array.of(module.size).buffer))
      const path = module.entry === 0 ? `C:\\Windows\\System32\\${module.name}` : programPath
      this.#writeText(at + entry.fullName, path)
      this.#writeText(at + entry.name, module.name)
      return at
    })
    for (const [ring, head] of heads.entries()) {
      const links = entry.links[ring] as number
      // The third list, in initialization order, excludes the program itself.
      const nodes = [loader + head, ...entries.slice(ring === 2 ? 1 : 0).map((at) => at + links)]
      for (const [index, node] of nodes.entries()) {
        machine.writePointer(node, nodes[(index + 1) % nodes.length] as number)
        machine.writePointer(node + machine.pointerSize, nodes.at(index - 1) as number)
      }
    }
  }

  get lastErrorAt(): number {
    return this.thread + this.#layout.thread.lastError
  }
}
