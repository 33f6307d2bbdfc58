import { limits } from '../limits.ts'
import type { AddressSpace, Region } from '../memory/address-space.ts'
import { pageOf, pageSize, permission } from '../unicorn/machine.ts'

/** The program jumped to code that it had written itself. */
export interface Transition {
  readonly target: number
  readonly region: Region
  readonly isCall: boolean
  readonly returnTo: number
  readonly sp: number
  /** Number of system calls before it. */
  readonly calls: number
  /** Memory of the program and its allocations at that time. */
  readonly memory: ReadonlyMap<Region, Buffer>
  /** Whether a call has returned, or this was a step towards an entry point. */
  hasReturned: boolean
}

/** Number of bytes compared at a target. */
const comparedBytes = 64
const readWrite = permission.read | permission.write
const maxSnapshotBytes = 256 * 2 ** 20

/**
 * Detects self-written code. No page is executable until the program first jumps to it; then its bytes are compared with
 * those of the last transition. If they differ, a layer was unpacked.
 */
export class Layers {
  readonly transitions: Transition[] = []
  readonly #space: AddressSpace
  readonly #executable = new Set<number>()
  /** Executed pages, by the number of layers unpacked before. */
  readonly #executed: Set<number>[] = []
  /** Changed pages of each transition; others are as loaded. */
  readonly #snapshots: Map<number, Buffer>[] = []
  readonly #loaded = new Map<number, Buffer>()
  readonly #pendingCalls: { readonly transition: Transition; readonly depth: number }[] = []

  constructor(space: AddressSpace) {
    this.#space = space
  }

  /** Records content that was not written by the program. */
  recordLoaded(region: Region): void {
    const bytes = this.#space.readUpTo(region.start, region.size)
    for (let at = 0; at < bytes.length; at += pageSize)
      this.#loaded.set(region.start + at, bytes.subarray(at, at + pageSize))
  }

  /** Must be called when pages are unmapped. */
  forget(start: number, size: number): void {
    for (let page = start; page < start + size; page += pageSize) {
      for (const pages of [this.#loaded, ...this.#snapshots]) pages.delete(page)
      this.#executable.delete(page)
    }
  }

  /** Handles a jump to a page that is not executable yet. Returns the unpacked layer, if any. */
  arrive(target: number, region: Region, calls: number): Transition | undefined {
    const { machine } = this.#space
    const call = this.#pendingCalls.at(-1)
    if (call && target === call.transition.returnTo && machine.sp > call.transition.sp) {
      call.transition.hasReturned = true
      this.#pendingCalls.pop()
      this.#snapshots.length = call.depth
      this.#revokeAll()
    } else if (this.#isWritten(target) && this.transitions.length < limits.layers) {
      const transition = this.#capture(target, region, calls)
      this.#grant(target)
      return transition
    }
    this.#grant(target)
    return undefined
  }

  /** Makes the next page executable if an instruction on an executable page extends into it. */
  extendToNextPage(address: number): boolean {
    const next = pageOf(address) + pageSize
    if (!this.#executable.has(pageOf(address)) || this.#executable.has(next) || !this.#space.at(next)) return false
    this.#grant(next)
    return true
  }

  /**
   * Handles the arrival at an entry point of unpacked headers: a layer even if it was written together with others, such as
   * the last instructions of a packer.
   */
  begin(target: number, region: Region, calls: number): Transition | undefined {
    const last = this.transitions.at(-1)
    if (!last || last.target === target || this.transitions.length >= limits.layers) return undefined
    const now = this.#space.readUpTo(target, Math.min(comparedBytes, pageOf(target) + pageSize - target))
    const loaded = (this.#loaded.get(pageOf(target)) ?? zeros).subarray(target - pageOf(target))
    if (now.equals(loaded.subarray(0, now.length))) return undefined
    const transition = this.#capture(target, region, calls)
    this.#grant(target)
    return transition
  }

  /** Pages executed by the layer before a transition. */
  executedBefore(transition: Transition): number[] {
    return [...(this.#executed[this.transitions.indexOf(transition)] ?? [])]
  }

  /** Pages executed since a transition. */
  executedSince(transition: Transition): number[] {
    const from = this.transitions.indexOf(transition) + 1
    const pages = this.#executed.slice(from).flatMap((layer) => [...(layer ?? [])])
    return [...new Set(pages)].sort((a, b) => a - b)
  }

  #isWritten(target: number): boolean {
    const now = this.#space.readUpTo(target, Math.min(comparedBytes, pageOf(target) + pageSize - target))
    const before = this.#pageBefore(pageOf(target)).subarray(target - pageOf(target))
    return !now.equals(before.subarray(0, now.length))
  }

  #pageBefore(page: number): Buffer {
    for (let depth = this.#snapshots.length - 1; depth >= 0; depth--) {
      const snapshot = this.#snapshots[depth]?.get(page)
      if (snapshot) return snapshot
    }
    return this.#loaded.get(page) ?? zeros
  }

  #capture(target: number, region: Region, calls: number): Transition {
    const { machine } = this.#space
    const memory = new Map<Region, Buffer>()
    const changed = new Map<number, Buffer>()
    for (const candidate of this.#space.regions) {
      const { start, size, kind } = candidate
      if (kind !== 'image' && kind !== 'heap' && candidate !== region) continue
      const now = this.#space.readUpTo(start, size)
      memory.set(candidate, now)
      for (let at = 0; at < size; at += pageSize) {
        const page = now.subarray(at, at + pageSize)
        if (!page.equals(this.#pageBefore(start + at))) changed.set(start + at, page)
      }
    }
    const returnTo = machine.readPointer(machine.sp)
    const isCall = this.#executable.has(pageOf(returnTo)) && this.#followsCall(returnTo)
    const transition = { target, region, isCall, returnTo, sp: machine.sp, calls, memory, hasReturned: false }
    this.transitions.push(transition)
    this.#dropOldest()
    if (isCall) this.#pendingCalls.push({ transition, depth: this.#snapshots.length })
    this.#snapshots.push(changed)
    this.#revokeAll()
    return transition
  }

  /** Drops the memory of the earliest layers beyond the limit. */
  #dropOldest(): void {
    const sizeOf = ({ memory }: Transition) => memory.values().reduce((sum, { length }) => sum + length, 0)
    let bytes = 0
    for (const transition of this.transitions.toReversed()) {
      bytes += sizeOf(transition)
      if (bytes > maxSnapshotBytes) (transition.memory as Map<Region, Buffer>).clear()
    }
  }

  /** Whether the instruction before an address is a call. */
  #followsCall(address: number): boolean {
    const before = this.#space.machine.read(address - 7, 7)
    if (!before) return false
    if (before[2] === 0xe8) return true
    return [2, 3, 4, 6, 7].some((length) => before[7 - length] === 0xff && ((before[8 - length] ?? 0) & 0x38) === 0x10)
  }

  #grant(address: number): void {
    const page = pageOf(address)
    this.#executable.add(page)
    const layer = this.transitions.length
    this.#executed[layer] ??= new Set()
    this.#executed[layer].add(page)
    this.#space.machine.protect(page, pageSize, readWrite | permission.execute)
  }

  #revokeAll(): void {
    for (const page of this.#executable)
      if (this.#space.at(page)) this.#space.machine.protect(page, pageSize, readWrite)
    this.#executable.clear()
  }
}

const zeros = Buffer.alloc(pageSize)
