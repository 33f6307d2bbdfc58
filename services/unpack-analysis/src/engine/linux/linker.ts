import { type Dynamic, dynamicOf } from '../elf/dynamic.ts'
import { parseElf, programHeaderSize } from '../elf/parse.ts'
import { limits } from '../limits.ts'
import type { AddressSpace } from '../memory/address-space.ts'

const page = 0x1000
const slotSize = 16
const maxFunctions = 4_096
const libraryAt = 0x7ff8_0000_0000

/** Kinds of relocations on x86-64. */
const kinds = { absolute: 1, copy: 5, data: 6, call: 7, relative: 8, indirect: 37 }

/**
 * Stands for the system's dynamic linker: a one-page file that packers open, map and jump to. A program that jumps there is
 * linked by this engine.
 */
export function linkerFile(): Buffer {
  const file = Buffer.alloc(page)
  file.write('\x7fELF\x02\x01\x01', 0, 'latin1')
  for (const [at, value] of [
    [16, 3],
    [18, 62],
    [52, 64],
    [54, programHeaderSize],
    [56, 1],
  ] as const)
    file.writeUInt16LE(value, at)
  file.writeUInt32LE(1, 20)
  file.writeUInt32LE(linkerEntry, 24)
  file.writeUInt32LE(64, 32)
  file.writeUInt32LE(1, 64)
  file.writeUInt32LE(5, 68)
  for (const at of [96, 104, 112]) file.writeUInt32LE(page, at)
  return file
}

export const linkerEntry = 0x800
/** Name of its regions. */
export const linkerName = 'linker'

/** Library functions at addresses that are never executable, so that calling one stops the machine. */
export class Linker {
  readonly #space: AddressSpace
  readonly #names: string[] = []
  readonly #slots = new Map<string, number>()

  constructor(space: AddressSpace) {
    this.#space = space
    space.map(libraryAt, maxFunctions * slotSize, 'system', 'libraries')
  }

  /** Returns the address of a function; beyond a limit, functions share one. */
  addressOf(name: string): number {
    const existing = this.#slots.get(name)
    if (existing !== undefined) return existing
    const index = Math.min(this.#names.length, maxFunctions - 1)
    this.#names[index] = name
    const address = libraryAt + index * slotSize
    if (this.#slots.size < limits.imports) this.#slots.set(name, address)
    return address
  }

  functionAt(address: number): string | undefined {
    const at = address - libraryAt
    return at >= 0 && at % slotSize === 0 ? this.#names[at / slotSize] : undefined
  }

  /** Relocates the program at `base`. Returns its initializers. */
  link(base: number): readonly number[] {
    const { machine } = this.#space
    const headers = machine.read(base, page)
    if (!headers) return []
    const elf = parseElf(headers)
    const moved = base - elf.start
    const image = Buffer.concat(this.#read(base, elf.end - elf.start))
    const dynamic = dynamicOf(image, elf, moved)
    if (!dynamic) return []
    for (const relocation of dynamic.relocations) this.#relocate(relocation, base, elf.isMovable ? moved : 0)
    return dynamic.init.map((address) => (elf.isMovable && address < moved ? address + moved : address))
  }

  #read(from: number, size: number): Buffer[] {
    const pages: Buffer[] = []
    for (let at = from; at < from + size; at += page)
      pages.push(this.#space.machine.read(at, page) ?? Buffer.alloc(page))
    return pages
  }

  #relocate({ at, type, symbol, addend }: Dynamic['relocations'][number], base: number, moved: number): void {
    const { machine } = this.#space
    const target = symbol && this.#resolve(symbol, moved)
    const place = base + at
    const write = (value: bigint) => {
      const bytes = Buffer.alloc(8)
      bytes.writeBigUInt64LE(BigInt.asUintN(64, value))
      machine.write(place, bytes)
    }
    if (type === kinds.relative) write(BigInt(moved) + addend)
    else if (target === undefined) return
    else if (type === kinds.data || type === kinds.call) write(BigInt(target))
    else if (type === kinds.absolute) write(BigInt(target) + addend)
  }

  #resolve({ name, address, isWeak }: Dynamic['symbols'][number], moved: number): number {
    if (address !== 0) return address + moved
    return isWeak && !name.startsWith('__cxa') ? 0 : this.addressOf(name)
  }
}
