import { Layers, type Transition } from './layers/layers.ts'
import { limits } from './limits.ts'
import type { AddressSpace, Region } from './memory/address-space.ts'
import { Heap } from './memory/heap.ts'
import type { Stopped } from './stopped.ts'
import { hex, Trace } from './trace.ts'
import type { Machine, Stop } from './unicorn/machine.ts'

const deepest = 500

/** For what the machine stops while there is time left. */
export type Pause = Exclude<Stop, { readonly why: 'time' }>

/** What a program at work has, whatever its system: memory, the layers that came off, its calls, and an end. */
export abstract class RunningProgram {
  readonly machine: Machine
  readonly space: AddressSpace
  readonly layers: Layers
  readonly trace = new Trace()
  readonly heap: Heap
  /** Pretended milliseconds since the start: it advances with calls and by sleeping, so nobody sees how slow we are. */
  clockMs = 1_000
  readonly #continuations: (() => void)[] = []
  #stopped: Stopped | undefined

  constructor(space: AddressSpace) {
    this.machine = space.machine
    this.space = space
    this.layers = new Layers(space)
    this.heap = new Heap(space)
  }

  protected abstract attend(pause: Pause): void

  run(): Stopped {
    while (!this.#stopped) {
      const stop = this.machine.run()
      if (stop.why === 'time') this.stop({ why: 'limit', text: 'the time limit was reached' })
      else this.attend(stop)
    }
    return this.#stopped
  }

  stop(stopped: Stopped): void {
    this.#stopped ??= stopped
  }

  get layer(): number {
    return this.layers.transitions.length
  }

  /** The program goes to a page of its own. */
  protected step(address: number, region: Region): Transition | undefined {
    if (this.layers.goOn(address)) return undefined
    const transition = this.layers.arrive(address, region, this.trace.count)
    if (transition)
      this.trace.event(
        `layer ${this.layer}: ${transition.isCall ? 'called' : 'went to'} code it had written at ${hex(address)}`,
      )
    return transition
  }

  /** Notes a call of the system, and that there were too many. */
  protected note(call: Parameters<Trace['call']>[0]): void {
    this.trace.call(call)
    if (this.trace.count >= limits.calls)
      this.stop({ why: 'limit', text: `the program made ${limits.calls.toLocaleString('en')} calls` })
  }

  /**
   * Lets the program run one of its own functions, which `pass` hands its values; it returns to an address at which `resume` is
   * called. `after` gets its answer, with the stack as it was.
   */
  protected enterFunction(address: number, pass: () => void, returnTo: number, after: (result: number) => void): void {
    const { machine } = this
    const before = machine.sp
    if (this.#continuations.length > deepest) {
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
