import type { AddressSpace } from '../address-space.ts'
import known from './arguments.json' with { type: 'json' }
import { exportTable } from './export-table.ts'

/** A function of the system: calls of it are answered by this engine. */
export interface SystemFunction {
  readonly library: string
  readonly name: string
  readonly address: number
  /** Arguments that it takes from the stack itself; undefined where its caller does, or nobody knows. */
  readonly pops: number | undefined
}

export interface Module {
  readonly name: string
  readonly base: number
  readonly size: number
  readonly functions: Map<string, SystemFunction>
  /** Whether all of its names are known: what is not among them does not exist. */
  readonly isComplete: boolean
}

const slotSize = 16
/** For functions of which nobody knew before somebody asked. */
const spareSlots = 1024

/** Names by the number of their arguments, as the import libraries of mingw-w64 have them. */
const tables = known as Readonly<Record<string, Readonly<Record<string, string>>>>

const aliases: Readonly<Record<string, string>> = { kernelbase: 'kernel32' }

export const libraryName = (name: string) => {
  const file = name.toLowerCase().replace(/^.*[\\/]/, '')
  return file.includes('.') ? file : `${file}.dll`
}

/** The libraries that a program has loaded. Their functions are addresses at which nothing can be executed. */
export class Modules {
  readonly #space: AddressSpace
  readonly #byName = new Map<string, Module>()
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
    const there = this.#byName.get(name)
    if (there) return there
    const stem = name.replace(/\.\w+$/, '')
    const table = tables[aliases[stem] ?? stem]
    const names = table
      ? Object.entries(table).flatMap(([count, all]) => all.split(' ').map((one) => ({ one, count })))
      : []
    const { bytes, codeAt } = exportTable(name, names.map(({ one }) => one).sort(), {
      slotSize,
      spareSlots,
      bits: this.#space.machine.bits,
      base: this.#next,
    })
    const module: Module = {
      name,
      base: this.#next,
      size: bytes.length,
      functions: new Map(),
      isComplete: names.length > 0,
    }
    this.#space.map(module.base, bytes.length, 'system', name)
    this.#space.machine.write(module.base, bytes)
    this.#next += Math.ceil(bytes.length / 0x10000) * 0x10000
    this.#byName.set(name, module)
    const counts = new Map(names.map(({ one, count }) => [one, count === 'caller' ? undefined : Number(count)]))
    for (const [index, one] of [...counts.keys()].sort().entries())
      this.#add(module, one, module.base + codeAt + index * slotSize, counts.get(one))
    return module
  }

  #add(module: Module, name: string, address: number, pops: number | undefined): SystemFunction {
    const made = { library: module.name, name, address, pops }
    module.functions.set(name, made)
    this.#byAddress.set(address, made)
    return made
  }

  /** One that the program imports: it exists, since the program was made for a machine that has it. */
  imported(library: string, name: string): SystemFunction {
    const module = this.load(library)
    return module.functions.get(name) ?? this.#add(module, name, this.#spare(module), undefined)
  }

  /** One that the program asks for while it runs. */
  find(module: Module, name: string): SystemFunction | undefined {
    return (
      module.functions.get(name) ??
      (module.isComplete && !name.startsWith('#') ? undefined : this.imported(module.name, name))
    )
  }

  #spare(module: Module): number {
    const used = module.functions.size
    const last = module.base + module.size - slotSize
    return Math.min(module.base + module.size - slotSize * spareSlots + (used % spareSlots) * slotSize, last)
  }

  functionAt(address: number): SystemFunction | undefined {
    return this.#byAddress.get(address)
  }

  moduleAt(base: number): Module | undefined {
    return this.all.find((module) => module.base === base)
  }
}
