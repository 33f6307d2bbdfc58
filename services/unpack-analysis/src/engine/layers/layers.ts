import { limits } from '../limits.ts'
import type { AddressSpace, Region } from '../memory/address-space.ts'
import { pageOf, pageSize, permission } from '../unicorn/machine.ts'

/** A moment at which the program went to code that it had written itself. */
export interface Transition {
  readonly target: number
  readonly region: Region
  readonly isCall: boolean
  readonly returnTo: number
  readonly sp: number
  /** How many calls of the system came before it. */
  readonly calls: number
  /** Memory as it was: the program and what it had allocated. */
  readonly memory: ReadonlyMap<Region, Buffer>
  /** A call that came back, or a step on the way to an entry point. */
  hasReturned: boolean
}

/** Code before a transition is compared with this many bytes at its target. */
const compared = 64
const readWrite = permission.read | permission.write
const maxKeptBytes = 256 * 2 ** 20

/**
 * Tells code that was there from code that was written. No page can be executed until the program goes there for the first
 * time; then its bytes are compared with those of the last such moment. Where they differ, a layer has come off.
 */
export class Layers {
  readonly transitions: Transition[] = []
  readonly #space: AddressSpace
  readonly #executable = new Set<number>()
  /** Pages that were executed, by how many layers had come off before. */
  readonly #executed: Set<number>[] = []
  /** Pages as they were, one map for every transition; what is in none of them is as it was loaded. */
  readonly #known: Map<number, Buffer>[] = []
  readonly #loaded = new Map<number, Buffer>()
  readonly #open: { readonly transition: Transition; readonly depth: number }[] = []

  constructor(space: AddressSpace) {
    this.#space = space
  }

  /** What of it is there now was not written by the program. */
  remember(region: Region): void {
    const bytes = this.#space.readUpTo(region.start, region.size)
    for (let at = 0; at < bytes.length; at += pageSize)
      this.#loaded.set(region.start + at, bytes.subarray(at, at + pageSize))
  }

  /** What is there from now on is something else. */
  forget(start: number, size: number): void {
    for (let page = start; page < start + size; page += pageSize) {
      for (const pages of [this.#loaded, ...this.#known]) pages.delete(page)
      this.#executable.delete(page)
    }
  }

  /** The program goes to a page that it may not execute yet. Answers the layer that came off, if one did. */
  arrive(target: number, region: Region, calls: number): Transition | undefined {
    const { machine } = this.#space
    const call = this.#open.at(-1)
    if (call && target === call.transition.returnTo && machine.sp > call.transition.sp) {
      call.transition.hasReturned = true
      this.#open.pop()
      this.#known.length = call.depth
      this.#revokeAll()
    } else if (this.#isWritten(target) && this.transitions.length < limits.layers) {
      const transition = this.#take(target, region, calls)
      this.#grant(target)
      return transition
    }
    this.#grant(target)
    return undefined
  }

  /** If the page of an address can be executed already, an instruction there ends on the next one: that can be, too, from now on. */
  goOn(address: number): boolean {
    const next = pageOf(address) + pageSize
    if (!this.#executable.has(pageOf(address)) || this.#executable.has(next) || !this.#space.at(next)) return false
    this.#grant(next)
    return true
  }

  /**
   * The program is at an entry point that it has made itself, by its own headers: a layer even if others were written with
   * it, such as a few instructions by which a packer took itself away.
   */
  begin(target: number, region: Region, calls: number): Transition | undefined {
    const last = this.transitions.at(-1)
    if (!last || last.target === target || this.transitions.length >= limits.layers) return undefined
    const now = this.#space.readUpTo(target, Math.min(compared, pageOf(target) + pageSize - target))
    const loaded = (this.#loaded.get(pageOf(target)) ?? zeros).subarray(target - pageOf(target))
    if (now.equals(loaded.subarray(0, now.length))) return undefined
    const transition = this.#take(target, region, calls)
    this.#grant(target)
    return transition
  }

  /** Where the layer ran that came before that moment. */
  executedBefore(transition: Transition): number[] {
    return [...(this.#executed[this.transitions.indexOf(transition)] ?? [])]
  }

  /** Where the program went from that moment on. */
  executedSince(transition: Transition): number[] {
    const from = this.transitions.indexOf(transition) + 1
    const pages = this.#executed.slice(from).flatMap((layer) => [...(layer ?? [])])
    return [...new Set(pages)].sort((one, other) => one - other)
  }

  #isWritten(target: number): boolean {
    const now = this.#space.readUpTo(target, Math.min(compared, pageOf(target) + pageSize - target))
    const before = this.#pageBefore(pageOf(target)).subarray(target - pageOf(target))
    return !now.equals(before.subarray(0, now.length))
  }

  #pageBefore(page: number): Buffer {
    for (let depth = this.#known.length - 1; depth >= 0; depth--) {
      const known = this.#known[depth]?.get(page)
      if (known) return known
    }
    return this.#loaded.get(page) ?? zeros
  }

  #take(target: number, region: Region, calls: number): Transition {
    const { machine } = this.#space
    const memory = new Map<Region, Buffer>()
    const known = new Map<number, Buffer>()
    for (const one of this.#space.regions) {
      if (one.kind !== 'image' && one.kind !== 'heap' && one !== region) continue
      const now = this.#space.readUpTo(one.start, one.size)
      memory.set(one, now)
      for (let at = 0; at < one.size; at += pageSize) {
        const page = now.subarray(at, at + pageSize)
        if (!page.equals(this.#pageBefore(one.start + at))) known.set(one.start + at, page)
      }
    }
    const returnTo = machine.readPointer(machine.sp)
    const isCall = this.#executable.has(pageOf(returnTo)) && this.#followsCall(returnTo)
    const transition = { target, region, isCall, returnTo, sp: machine.sp, calls, memory, hasReturned: false }
    this.transitions.push(transition)
    this.#forgetOldest()
    if (isCall) this.#open.push({ transition, depth: this.#known.length })
    this.#known.push(known)
    this.#revokeAll()
    return transition
  }

  /** Memory of early layers is given up before that of late ones. */
  #forgetOldest(): void {
    const sizeOf = ({ memory }: Transition) => memory.values().reduce((sum, { length }) => sum + length, 0)
    let kept = 0
    for (const transition of this.transitions.toReversed()) {
      kept += sizeOf(transition)
      if (kept > maxKeptBytes) (transition.memory as Map<Region, Buffer>).clear()
    }
  }

  /** Whether the bytes before an address are those of a call. */
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
