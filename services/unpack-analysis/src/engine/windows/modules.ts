import type { AddressSpace } from '../memory/address-space.ts'
import { type ExportTable, exportTable, setBase } from './export-table.ts'
import { knownLibrary } from './known-libraries.ts'

/** A system function, emulated by this engine. */
export interface SystemFunction {
  readonly library: string
  readonly name: string
  readonly address: number
  /** Number of arguments that it pops from the stack; undefined if its caller does, or if unknown. */
  readonly pops: number | undefined
}

export interface Module {
  readonly name: string
  readonly base: number
  readonly size: number
  /** Offset of its functions. */
  readonly codeAt: number
}

const slotSize = 16
/** Slots of functions that are in no table. */
const spareSlots = 1024

const tables = new Map<string, ExportTable>()

const libraryName = (name: string) => {
  const file = name.toLowerCase().replace(/^.*[\\/]/, '')
  return file.includes('.') ? file : `${file}.dll`
}

/** Loaded libraries. Their functions are addresses that are never executable. */
export class Modules {
  readonly #space: AddressSpace
  readonly #byName = new Map<string, Module>()
  /** Functions that are in no table. */
  readonly #others = new Map<string, SystemFunction>()
  readonly #byAddress = new Map<number, SystemFunction>()
  #next: number

  constructor(space: AddressSpace) {
    this.#space = space
    this.#next = space.machine.bits === 64 ? 0x7ff8_0000_0000 : 0x7000_0000
  }

  get all(): readonly Module[] {
    return [...this.#byName.values()]
  }

  load(requested: string): Module {
    const name = libraryName(requested)
    const existing = this.#byName.get(name)
    if (existing) return existing
    const { bits } = this.#space.machine
    const key = `${name} ${bits}`
    const table = tables.get(key) ?? exportTable(name, knownLibrary(name)?.names ?? [], { slotSize, spareSlots, bits })
    if (knownLibrary(name)) tables.set(key, table)
    const module: Module = { name, base: this.#next, size: table.bytes.length, codeAt: table.codeAt }
    this.#space.map(module.base, module.size, 'system', name)
    this.#space.machine.write(module.base, setBase(table.bytes, bits, module.base))
    this.#next += Math.ceil(module.size / 0x10000) * 0x10000
    this.#byName.set(name, module)
    return module
  }

  #listed(module: Module, index: number): SystemFunction | undefined {
    const library = knownLibrary(module.name)
    const name = library?.names[index]
    if (library === undefined || name === undefined) return undefined
    const address = module.base + module.codeAt + index * slotSize
    return { library: module.name, name, address, pops: library.pops[index] }
  }

  /** Returns a function that the program imports, and which therefore exists. */
  imported(library: string, name: string): SystemFunction {
    const module = this.load(library)
    const index = knownLibrary(module.name)?.indexes.get(name)
    const listed = index === undefined ? undefined : this.#listed(module, index)
    return listed ?? this.#other(module, name)
  }

  #other(module: Module, name: string): SystemFunction {
    const key = `${module.name}!${name}`
    const existing = this.#others.get(key)
    if (existing) return existing
    const address = module.base + module.size - slotSize * (1 + (this.#others.size % spareSlots))
    const added = { library: module.name, name, address, pops: undefined }
    this.#others.set(key, added)
    this.#byAddress.set(address, added)
    return added
  }

  /** Finds a function at run time; a known library has no others than those of its table. */
  find(module: Module, name: string): SystemFunction | undefined {
    const library = knownLibrary(module.name)
    return library && !library.indexes.has(name) && !name.startsWith('#') ? undefined : this.imported(module.name, name)
  }

  functionAt(address: number): SystemFunction | undefined {
    const other = this.#byAddress.get(address)
    if (other) return other
    for (const module of this.#byName.values()) {
      const at = address - module.base - module.codeAt
      if (at >= 0 && address < module.base + module.size && at % slotSize === 0)
        return this.#listed(module, at / slotSize)
    }
    return undefined
  }

  moduleAt(base: number): Module | undefined {
    return this.all.find((module) => module.base === base)
  }
}
