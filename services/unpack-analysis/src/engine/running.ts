import { Layers, type Transition } from './layers/layers.ts'
import { limits } from './limits.ts'
import type { AddressSpace, Region } from './memory/address-space.ts'
import { Heap } from './memory/heap.ts'
import type { Stopped } from './stopped.ts'
import { hex, Trace } from './trace.ts'
import type { Machine, Stop } from './unicorn/machine.ts'

const maxDepth = 500

/** Reasons other than the time limit. */
export type Pause = Exclude<Stop, { readonly why: 'time' }>

/** Common part of emulated processes: memory, layers, trace and end. */
export abstract class RunningProgram {
  readonly machine: Machine
  readonly space: AddressSpace
  readonly layers: Layers
  readonly trace = new Trace()
  readonly heap: Heap
  /** Emulated milliseconds since the start. Advances by calls and sleeping, which hides the emulation speed. */
  clockMs = 1_000
  readonly #continuations: (() => void)[] = []
  #stopped: Stopped | undefined

  constructor(space: AddressSpace) {
    this.machine = space.machine
    this.space = space
    this.layers = new Layers(space)
    this.heap = new Heap(space)
  }

  protected abstract handle(pause: Pause): void

  run(): Stopped {
    while (!this.#stopped) {
      const stop = this.machine.run()
      if (stop.why === 'time') this.stop({ why: 'limit', text: 'the time limit was reached' })
      else this.handle(stop)
    }
    return this.#stopped
  }

  stop(stopped: Stopped): void {
    this.#stopped ??= stopped
  }

  get layer(): number {
    return this.layers.transitions.length
  }

  /** Handles a jump to a page of the program. */
  protected step(address: number, region: Region): Transition | undefined {
    if (this.layers.extendToNextPage(address)) return undefined
    const transition = this.layers.arrive(address, region, this.trace.count)
    if (transition)
      this.trace.event(
        `layer ${this.layer}: ${transition.isCall ? 'called' : 'went to'} code it had written at ${hex(address)}`,
      )
    return transition
  }

  /** Records a call, and stops at the limit. */
  protected record(call: Parameters<Trace['call']>[0]): void {
    this.trace.call(call)
    if (this.trace.count >= limits.calls)
      this.stop({ why: 'limit', text: `the program made ${limits.calls.toLocaleString('en')} calls` })
  }

  /**
   * Calls a function of the program with arguments set by `pass`. It returns to an address that triggers `resume`; `after` gets
   * the result, with the stack restored.
   */
  protected enterFunction(address: number, pass: () => void, returnTo: number, after: (result: number) => void): void {
    const { machine } = this
    const before = machine.sp
    if (this.#continuations.length > maxDepth) {
      this.stop({ why: 'limit', text: 'functions were nested too deep' })
      return
    }
    machine.sp -= machine.sp % 16
    pass()
    machine.push(returnTo)
    this.#continuations.push(() => {
      machine.sp = before
      after(Number(machine.get('ax')))
    })
    machine.pc = address
  }

  protected resume(): void {
    this.#continuations.pop()?.()
  }
}
