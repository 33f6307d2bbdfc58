import { limits } from '../limits.ts'
import { type Machine, pageSize, permission, roundUp } from '../unicorn/machine.ts'

export type RegionKind = 'image' | 'heap' | 'stack' | 'system'

export interface Region {
  readonly start: number
  readonly size: number
  readonly kind: RegionKind
  readonly name: string
}

const granularity = 0x10000
/** Permissions of one page are changed by copying what is mapped together with it: the pieces are kept small. */
const smallestPiece = 16 * pageSize
const maxPieces = 256

/** What is mapped where. Nothing is executable until somebody lets it be. */
export class AddressSpace {
  readonly machine: Machine
  readonly #regions: Region[] = []
  /** Below it there are no allocations: they come after the program, so that a dump can have both. */
  #next: number
  allocatedBytes = 0

  constructor(machine: Machine, from: number) {
    this.machine = machine
    this.#next = from
  }

  get regions(): readonly Region[] {
    return this.#regions
  }

  map(start: number, size: number, kind: RegionKind, name: string): Region {
    const region = { start, size: roundUp(size), kind, name }
    const piece = Math.max(smallestPiece, roundUp(region.size / maxPieces))
    for (let at = start; at < start + region.size; at += piece)
      this.machine.map(at, Math.min(piece, start + region.size - at), permission.read | permission.write)
    this.#regions.push(region)
    return region
  }

  /** Undefined if there is no more for the sample. */
  allocate(size: number, name = 'heap', requested = 0): Region | undefined {
    const whole = roundUp(size)
    if (size <= 0 || this.allocatedBytes + whole > limits.allocatedBytes) return undefined
    const at = requested > 0 && this.isFree(requested, whole) ? requested : this.#freeFor(whole)
    if (at === undefined) return undefined
    this.allocatedBytes += whole
    return this.map(at, whole, 'heap', name)
  }

  #freeFor(size: number): number | undefined {
    const end = this.machine.bits === 64 ? 0x7000_0000_0000 : 0x7000_0000
    let at = this.#next
    for (;;) {
      const clash = this.#regions.find((one) => at < one.start + one.size && one.start < at + size)
      if (!clash) break
      at = Math.ceil((clash.start + clash.size) / granularity) * granularity
    }
    if (at + size > end) return undefined
    this.#next = Math.ceil((at + size) / granularity) * granularity
    return at
  }

  isFree(start: number, size: number): boolean {
    const top = this.machine.bits === 64 ? 2 ** 47 : 2 ** 32 - granularity
    return (
      start >= granularity &&
      start + size <= top &&
      !this.#regions.some((one) => start < one.start + one.size && one.start < start + size)
    )
  }

  free(start: number): boolean {
    const index = this.#regions.findIndex((one) => one.start === start && one.kind === 'heap')
    const region = this.#regions[index]
    if (!region) return false
    this.machine.unmap(region.start, region.size)
    this.#regions.splice(index, 1)
    this.allocatedBytes -= region.size
    return true
  }

  /** Whatever of these pages is mapped no longer is; what is left of regions on either side stays. */
  unmap(start: number, size: number): void {
    const end = start + roundUp(size)
    for (const region of this.#regions.filter((one) => start < one.start + one.size && one.start < end)) {
      const from = Math.max(start, region.start)
      const to = Math.min(end, region.start + region.size)
      this.machine.unmap(from, to - from)
      const left = { ...region, size: from - region.start }
      const right = { ...region, start: to, size: region.start + region.size - to }
      this.#regions.splice(this.#regions.indexOf(region), 1, ...[left, right].filter((one) => one.size > 0))
      if (region.kind === 'heap') this.allocatedBytes -= to - from
    }
  }

  at(address: number): Region | undefined {
    return this.#regions.find(({ start, size }) => address >= start && address < start + size)
  }

  /** Up to `size` bytes from there, fewer where the region ends. */
  readUpTo(address: number, size: number): Buffer {
    const region = this.at(address)
    if (!region) return Buffer.alloc(0)
    return this.machine.read(address, Math.min(size, region.start + region.size - address)) ?? Buffer.alloc(0)
  }
}
