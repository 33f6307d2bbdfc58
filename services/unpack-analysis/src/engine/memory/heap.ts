import type { AddressSpace } from './address-space.ts'

const arenaSize = 0x100000
/** Larger allocations get their own region. */
const maxInArena = 0x40000

/** Small allocations, such as by malloc. Freed memory is not reused, since programs run only briefly. */
export class Heap {
  readonly #space: AddressSpace
  readonly #sizes = new Map<number, number>()
  #arena = 0
  #available = 0

  constructor(space: AddressSpace) {
    this.#space = space
  }

  allocate(size: number): number {
    const rounded = Math.ceil(Math.max(size, 1) / 16) * 16 + 16
    const at = rounded > maxInArena ? (this.#space.allocate(rounded, 'heap')?.start ?? 0) : this.#small(rounded)
    if (at !== 0) this.#sizes.set(at, size)
    return at
  }

  #small(size: number): number {
    if (size > this.#available) {
      const arena = this.#space.allocate(arenaSize, 'heap')
      if (!arena) return 0
      this.#arena = arena.start
      this.#available = arena.size
    }
    const at = this.#arena
    this.#arena += size
    this.#available -= size
    return at
  }

  sizeOf(address: number): number | undefined {
    return this.#sizes.get(address)
  }

  reallocate(address: number, size: number): number {
    const before = this.#sizes.get(address) ?? 0
    const at = this.allocate(size)
    if (at !== 0 && before > 0) {
      const bytes = this.#space.machine.read(address, Math.min(before, size))
      if (bytes) this.#space.machine.write(at, bytes)
    }
    return at
  }

  free(address: number): boolean {
    return this.#sizes.delete(address)
  }
}
