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
/** Changing the permissions of a page copies its whole mapping, so mappings are small. */
const minPiece = 16 * pageSize
const maxPieces = 256

const overlaps = (region: Region, start: number, size: number) =>
  start < region.start + region.size && region.start < start + size

/** Mapped regions. Nothing is executable at first. */
export class AddressSpace {
  readonly machine: Machine
  readonly #regions: Region[] = []
  /** Next allocation, always after the program, so that a dump can contain both. */
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
    const piece = Math.max(minPiece, roundUp(region.size / maxPieces))
    for (let at = start; at < start + region.size; at += piece)
      this.machine.map(at, Math.min(piece, start + region.size - at), permission.read | permission.write)
    this.#regions.push(region)
    return region
  }

  /** Returns undefined if the limit of the sample is reached. */
  allocate(size: number, name = 'heap', requested = 0): Region | undefined {
    const rounded = roundUp(size)
    if (size <= 0 || this.allocatedBytes + rounded > limits.allocatedBytes) return undefined
    const at = requested > 0 && this.isFree(requested, rounded) ? requested : this.#freeFor(rounded)
    if (at === undefined) return undefined
    this.allocatedBytes += rounded
    return this.map(at, rounded, 'heap', name)
  }

  #freeFor(size: number): number | undefined {
    const end = this.machine.bits === 64 ? 0x7000_0000_0000 : 0x7000_0000
    let at = this.#next
    for (;;) {
      const overlapping = this.#regions.find((region) => overlaps(region, at, size))
      if (!overlapping) break
      at = Math.ceil((overlapping.start + overlapping.size) / granularity) * granularity
    }
    if (at + size > end) return undefined
    this.#next = Math.ceil((at + size) / granularity) * granularity
    return at
  }

  isFree(start: number, size: number): boolean {
    const top = this.machine.bits === 64 ? 2 ** 47 : 2 ** 32 - granularity
    return start >= granularity && start + size <= top && !this.#regions.some((region) => overlaps(region, start, size))
  }

  free(start: number): boolean {
    const index = this.#regions.findIndex((candidate) => candidate.start === start && candidate.kind === 'heap')
    const region = this.#regions[index]
    if (!region) return false
    this.machine.unmap(region.start, region.size)
    this.#regions.splice(index, 1)
    this.allocatedBytes -= region.size
    return true
  }

  /** Unmaps pages, splitting regions. */
  unmap(start: number, size: number): void {
    const end = start + roundUp(size)
    for (const region of this.#regions.filter((candidate) => overlaps(candidate, start, end - start))) {
      const from = Math.max(start, region.start)
      const to = Math.min(end, region.start + region.size)
      this.machine.unmap(from, to - from)
      const before = { ...region, size: from - region.start }
      const after = { ...region, start: to, size: region.start + region.size - to }
      const remaining = [before, after].filter((part) => part.size > 0)
      this.#regions.splice(this.#regions.indexOf(region), 1, ...remaining)
      if (region.kind === 'heap') this.allocatedBytes -= to - from
    }
  }

  at(address: number): Region | undefined {
    return this.#regions.find(({ start, size }) => address >= start && address < start + size)
  }

  /** Reads up to `size` bytes, fewer at the end of a region. */
  readUpTo(address: number, size: number): Buffer {
    const region = this.at(address)
    if (!region) return Buffer.alloc(0)
    return this.machine.read(address, Math.min(size, region.start + region.size - address)) ?? Buffer.alloc(0)
  }
}
