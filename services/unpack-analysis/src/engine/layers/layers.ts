import type { AddressSpace, Region } from '../address-space.ts'
import { limits } from '../limits.ts'
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
  /** A call that came back. */
  hasReturned: boolean
}

/** Code before a transition is compared with this many bytes at its target. */
const compared = 64
const readWrite = permission.read | permission.write
const mostKept = 256 * 2 ** 20

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
  readonly #loaded = new Map<Region, Buffer>()
  readonly #open: { readonly transition: Transition; readonly depth: number }[] = []

  constructor(space: AddressSpace) {
    this.#space = space
  }

  /** What of it is there now was not written by the program. */
  remember(region: Region): void {
    this.#loaded.set(region, this.#space.readUpTo(region.start, region.size))
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
    } else if (this.#isWritten(target, region) && this.transitions.length < limits.layers) {
      const transition = this.#take(target, region, calls)
      this.#grant(target)
      return transition
    }
    this.#grant(target)
    return undefined
  }

  /** Where the program went from that moment on. */
  executedSince(transition: Transition): number[] {
    const from = this.transitions.indexOf(transition) + 1
    const pages = this.#executed.slice(from).flatMap((layer) => [...(layer ?? [])])
    return [...new Set(pages)].sort((one, other) => one - other)
  }

  #isWritten(target: number, region: Region): boolean {
    const now = this.#space.readUpTo(target, Math.min(compared, pageOf(target) + pageSize - target))
    const before = this.#pageBefore(pageOf(target), region).subarray(target - pageOf(target))
    return !now.equals(before.subarray(0, now.length))
  }

  #pageBefore(page: number, region: Region): Buffer {
    for (let depth = this.#known.length - 1; depth >= 0; depth--) {
      const known = this.#known[depth]?.get(page)
      if (known) return known
    }
    const loaded = this.#loaded.get(region)
    return loaded ? loaded.subarray(page - region.start, page - region.start + pageSize) : zeros
  }

  #take(target: number, region: Region, calls: number): Transition {
    const { machine } = this.#space
    const memory = new Map<Region, Buffer>()
    const known = new Map<number, Buffer>()
    for (const one of this.#space.regions) {
      if (one.kind !== 'image' && one.kind !== 'heap') continue
      const now = this.#space.readUpTo(one.start, one.size)
      memory.set(one, now)
      for (let at = 0; at < one.size; at += pageSize) {
        const page = now.subarray(at, at + pageSize)
        if (!page.equals(this.#pageBefore(one.start + at, one))) known.set(one.start + at, page)
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
      if (kept > mostKept) (transition.memory as Map<Region, Buffer>).clear()
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
