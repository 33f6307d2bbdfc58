import { setTimeout as delay } from 'node:timers/promises'
import type { Revision } from '../revision.ts'
import type { Instance } from './instance.ts'
import { type LaunchHost, type LaunchOptions, launch } from './launch.ts'
import type { FleetLimits } from './limits.ts'
import type { Abort } from './requests/abort.ts'
import { isTheirs, Refusal, Setback } from './requests/refusal.ts'
import { WaitingLine } from './requests/waiting-line.ts'

export interface FleetHost extends LaunchHost {
  readonly limits: FleetLimits
  readonly onError: (error: unknown) => void
}

/** Between two looks whether a lease has become free. */
const askAgainMs = 250
/** After so many it may be full of what never ended. */
const timeoutsLimit = 10
const oldMs = 24 * 3_600_000

/** The instances of one revision on this node. */
export class Fleet {
  readonly revision: Revision
  isRetired = false
  readonly #host: FleetHost
  readonly #instances = new Set<Instance>()
  readonly #waiters = new WaitingLine()
  #starting = 0
  /** Requests under way, also those whose instance has ended: they may need another one. */
  #requests = 0
  #isDropped = false
  #asksAgain = false
  #isClosed = false
  #setback: Setback | undefined

  constructor(revision: Revision, host: FleetHost) {
    this.revision = revision
    this.#host = host
  }

  get isEmpty(): boolean {
    return this.#instances.size + this.#starting + this.#requests === 0 && !this.#isKept
  }
  /** Bytes of instances that are about to end. */
  get leaving(): number {
    const ending = [...this.#instances].filter(({ isDraining, isEnded }) => isDraining && !isEnded)
    return ending.length * this.revision.memoryBytes
  }
  get size(): number {
    return this.#instances.size
  }
  get #isKept(): boolean {
    return this.revision.minInstances > 0 && !this.isRetired
  }

  /** Keeps the fleet from being dropped while a request may still enter it. */
  async during<T>(request: () => Promise<T>): Promise<T> {
    this.#requests++
    try {
      return await request()
    } finally {
      this.#requests--
    }
  }

  /** Called once the node has forgotten an empty fleet: it must start nothing that would run unseen. */
  drop(): void {
    if (!this.isEmpty) throw new Error(`The fleet of ${this.revision.id} was dropped though it is in use.`)
    this.#isDropped = true
  }

  /** An instance that has room, at once if there is one. Whoever gets it leaves it. */
  enter(abort: Abort): Instance | Promise<Instance> {
    const free = this.#free()
    if (free) {
      free.inFlight++
      return free
    }
    const { maxWaiting, waitMs } = this.#host.limits
    if (this.#setback?.isPause && this.#instances.size + this.#starting === 0) throw this.#setback.refusal
    if (this.#waiters.size >= maxWaiting)
      throw new Refusal(429, `More than ${maxWaiting} requests wait for this function already: send fewer at once.`)
    const waiting = this.#waiters.wait(abort, waitMs, () => this.#busy())
    this.#grow()
    return waiting
  }

  leave(instance: Instance): void {
    instance.inFlight--
    instance.idleSince = this.#host.clock.now().getTime()
    instance.idleAt = performance.now()
    if (instance.isDraining && instance.inFlight === 0) void instance.stop()
    else this.#serveWaiters()
  }

  /** Starts one if there is none. Rejects with the failure that a person can act on. */
  async warm(): Promise<void> {
    if ([...this.#instances].some((instance) => !instance.isDraining)) return
    this.#setback = undefined
    this.#starting++
    try {
      await this.#launch({ max: this.revision.maxInstances, isNeeded: () => true })
    } finally {
      this.#starting--
    }
    this.#grow()
  }

  /** Gives up no request, but takes no new ones from now on. */
  drain(instance: Instance): void {
    instance.isDraining = true
    if (instance.inFlight === 0) void instance.stop()
    this.#grow()
  }

  /** Says in the log what the caller is told. */
  refused(invocation: string, refusal: Refusal): Refusal {
    this.#host.log({ revision: this.revision, invocation, stream: 'platform', text: refusal.message })
    return refusal
  }

  /** It did not answer in time. Where it had only that request, it goes. */
  late(instance: Instance): void {
    instance.timeouts++
    if (this.revision.concurrency === 1) void instance.stop()
    else if (instance.timeouts >= timeoutsLimit) this.drain(instance)
    else this.doubt(instance)
  }

  /** It gets no further requests until it shows that it still gets to its turn. */
  doubt(instance: Instance): void {
    if (instance.isDoubted) return
    instance.isDoubted = true
    void instance.isAlive().then(async (isAlive) => {
      // If it ends by itself, it says why.
      if (!isAlive) await Promise.race([instance.ended, delay(1_000, undefined, { ref: false })])
      instance.isDoubted = false
      if (isAlive) this.#serveWaiters()
      else await instance.stop()
    })
  }

  /** To be called from time to time. */
  tick(): void {
    const now = this.#host.clock.now().getTime()
    for (const instance of this.#instances) {
      if (instance.isDraining || instance.inFlight > 0) continue
      const isIdle = now - instance.idleSince >= this.#host.limits.idleMs
      const isLeft = this.isRetired && performance.now() - instance.idleAt >= this.#host.limits.graceMs
      if (performance.now() - instance.startedAt > oldMs) this.drain(instance)
      else if (isIdle || isLeft) void this.#end(instance).catch(this.#host.onError)
    }
    this.#grow()
  }

  /** Starts what is missing of the instances that are kept, wherever they are. */
  async keep(): Promise<void> {
    const { minInstances, maxInstances } = this.revision
    if (!this.#isKept || this.#setback?.isPause || this.#isClosed) return
    const kept = Math.min(minInstances, maxInstances)
    const missing = kept - (await this.#host.leases.staying(this.revision))
    if (!this.#isKept) return // retired meanwhile
    for (let started = this.#starting; started < missing; started++)
      void this.#start({ max: kept, isNeeded: () => true }) // other nodes do the same now
  }

  /** The one that has been idle for longest, if it may end. */
  get idlest(): Instance | undefined {
    if (this.#isKept) return undefined
    const idle = [...this.#instances].filter(({ inFlight, isDraining }) => inFlight === 0 && !isDraining)
    return idle.toSorted((a, b) => a.idleAt - b.idleAt)[0]
  }

  /** Another node waits for an instance of which this one has all: the one with the fewest requests makes way. */
  makeWay(): void {
    const all = [...this.#instances]
    if (all.some(({ isDraining }) => isDraining)) return
    const settled = all.filter(({ startedAt }) => performance.now() - startedAt > this.#host.limits.turnMs)
    const [least] = settled.toSorted((a, b) => a.inFlight - b.inFlight)
    if (least) this.drain(least)
  }

  /** A revision without any instance needs its memory: one goes as soon as it has answered what it has, if others stay. */
  makeRoom(): boolean {
    const all = [...this.#instances].filter(({ isDraining }) => !isDraining)
    const [least] = all.toSorted((a, b) => a.inFlight - b.inFlight)
    const staying = this.#isKept ? Math.max(1, this.revision.minInstances) : 1
    if (!least || all.length <= staying || all.length < this.#instances.size) return false
    this.drain(least)
    return true
  }

  /** The lease of one is gone: another one may be in its place already. */
  lose(id: string): void {
    for (const instance of this.#instances) {
      if (instance.id !== id) continue
      instance.say('It was stopped: its node could not say in time that it still runs.')
      void instance.stop()
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#waiters.refuse(new Refusal(503, 'The node is about to stop: try again.'))
    await Promise.all([...this.#instances].map((instance) => instance.stop()))
  }

  #free(): Instance | undefined {
    for (const instance of this.#instances) {
      const { inFlight, isDraining, isDoubted, isEnded } = instance
      if (inFlight < this.revision.concurrency && !isDraining && !isDoubted && !isEnded) return instance
    }
    return undefined
  }

  #serveWaiters(): void {
    this.#waiters.serve(() => this.#free())
  }

  #busy(): Refusal {
    const { maxInstances, concurrency } = this.revision
    return new Refusal(
      429,
      `All ${maxInstances} instances that this function may have are busy, with up to ${concurrency} requests each: send fewer at once, or raise its maximum.`,
    )
  }

  /** As many as the requests that wait need, within the maximum. */
  #grow(): void {
    const { concurrency, maxInstances } = this.revision
    while (
      !this.#isClosed &&
      !this.#setback?.isPause &&
      !this.#asksAgain &&
      this.#starting * concurrency < this.#waiters.size &&
      this.#instances.size + this.#starting < maxInstances
    )
      void this.#start({ max: maxInstances, isNeeded: () => this.#waiters.size > 0 })
  }

  async #start(options: Omit<LaunchOptions, 'isFirst'>): Promise<void> {
    this.#starting++
    try {
      if (!(await this.#launch(options))) this.#askAgain()
    } catch (error) {
      this.#fail(error)
    } finally {
      this.#starting--
    }
    this.#serveWaiters()
    this.#grow()
  }

  #askAgain(): void {
    if (this.#asksAgain) return
    this.#asksAgain = true
    setTimeout(() => {
      this.#asksAgain = false
      this.#grow()
    }, askAgainMs).unref()
  }

  /** False if the cell has as many as there may be, or if nobody needs it any more. */
  async #launch(options: Omit<LaunchOptions, 'isFirst'>): Promise<boolean> {
    if (this.#isDropped) throw new Error(`The fleet of ${this.revision.id} was dropped and cannot start instances.`)
    const isFirst = this.#instances.size === 0 && this.#starting === 1
    const launched = await launch(this.#host, this.revision, { ...options, isFirst })
    if (!launched) return false
    const { instance, gone } = launched
    this.#setback = undefined
    this.#instances.add(instance)
    void instance.ended.then(() => this.#instances.delete(instance))
    void gone.then(() => this.#grow())
    if (this.#isClosed) await instance.stop()
    this.#serveWaiters()
    return true
  }

  #fail(error: unknown): void {
    if (isTheirs(error)) this.#host.log({ revision: this.revision, stream: 'platform', text: error.message })
    else this.#host.onError(error)
    this.#setback = new Setback(error, this.#setback)
    if (this.#instances.size === 0) this.#waiters.refuse(this.#setback.refusal)
  }

  async #end(instance: Instance): Promise<void> {
    instance.isDraining = true // nothing is to come in between
    const { leases, clock, onError } = this.#host
    const isFree = !this.#isKept || (await leases.leave(this.revision, instance.id).catch(onError))
    if (isFree) return await instance.stop()
    instance.isDraining = false
    instance.idleSince = clock.now().getTime()
    this.#serveWaiters()
  }
}
