import { type Clock, Failure, type FairGate } from '@icosa/kernel'
import type { Revision } from '../revision.ts'
import { type Instance, type InstanceHost, startInstance } from './instance.ts'
import type { Leases } from './leases.ts'

export interface FleetLimits {
  /** After which an instance without requests ends, by the platform's clock. */
  readonly idleMs: number
  /** Requests that wait for an instance. */
  readonly maxWaiting: number
  readonly waitMs: number
  /** How long an instance may take until it listens. */
  readonly startMs: number
  /** How long a revision that another one took over from still answers requests that were on their way. */
  readonly graceMs: number
  /** After which an instance makes way for another node's. */
  readonly turnMs: number
}

export const fleetLimits: FleetLimits = {
  idleMs: 15 * 60_000,
  maxWaiting: 1_000,
  waitMs: 60_000,
  startMs: 60_000,
  graceMs: 5_000,
  turnMs: 5_000,
}

export interface FleetHost extends InstanceHost {
  readonly leases: Leases
  readonly clock: Clock
  readonly limits: FleetLimits
  /** Starts that go on at once, shared between tenants. */
  readonly starts: FairGate
  readonly onError: (error: unknown) => void
}

/** Why a request gets no instance, as its caller is told. */
export class Refusal extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

interface Waiter {
  readonly give: (instance: Instance) => void
  readonly refuse: (error: Error) => void
}

/** Between two looks whether a lease has become free. */
const askAgainMs = 250
/** After so many it may be full of what never ended. */
const timeoutsLimit = 10
const oldMs = 24 * 3_600_000
/** After a start that failed. It doubles each time. */
const firstPauseMs = 1_000
const longestPauseMs = 60_000

/** The instances of one revision on this node. */
export class Fleet {
  readonly revision: Revision
  isRetired = false
  readonly #host: FleetHost
  readonly #instances = new Set<Instance>()
  readonly #waiters = new Set<Waiter>()
  #starting = 0
  #asksAgain = false
  #isClosed = false
  /** The last start, if it failed, and until when nobody tries again. */
  #failed: { readonly refusal: Refusal; readonly until: number; readonly pauseMs: number } | undefined

  constructor(revision: Revision, host: FleetHost) {
    this.revision = revision
    this.#host = host
  }

  get isEmpty(): boolean {
    return this.#instances.size + this.#starting + this.#waiters.size === 0 && !this.#isKept
  }
  get size(): number {
    return this.#instances.size
  }
  get #isKept(): boolean {
    return this.revision.minInstances > 0 && !this.isRetired
  }

  /** An instance that has room, at once if there is one. Whoever gets it leaves it. */
  enter(signal: AbortSignal): Instance | Promise<Instance> {
    const free = this.#free()
    if (free) {
      free.inFlight++
      return free
    }
    const { maxWaiting, waitMs } = this.#host.limits
    if (this.#failed && this.#isPausing && this.#instances.size + this.#starting === 0) throw this.#failed.refusal
    if (this.#waiters.size >= maxWaiting)
      throw new Refusal(429, `More than ${maxWaiting} requests wait for this function already: send fewer at once.`)
    return new Promise((resolve, reject) => {
      const settled = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', abort)
        this.#waiters.delete(waiter)
      }
      const waiter: Waiter = {
        give: (instance) => {
          settled()
          instance.inFlight++
          resolve(instance)
        },
        refuse: (error) => {
          settled()
          reject(error)
        },
      }
      const abort = () => waiter.refuse(signal.reason)
      const timer = setTimeout(() => waiter.refuse(this.#busy()), waitMs)
      signal.addEventListener('abort', abort)
      this.#waiters.add(waiter)
      this.#grow()
    })
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
    this.#failed = undefined
    this.#starting++
    try {
      await this.#launch()
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
    void instance.isAlive().then((isAlive) => {
      instance.isDoubted = false
      if (isAlive) this.#serveWaiters()
      else void instance.stop()
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
    if (!this.#isKept || this.#isPausing || this.#isClosed) return
    const kept = Math.min(minInstances, maxInstances)
    const missing = kept - (await this.#host.leases.staying(this.revision))
    for (let started = this.#starting; started < missing; started++) void this.#start(kept) // other nodes do the same now
  }

  /** Another node waits for an instance of which this one has all: the one with the fewest requests makes way. */
  makeWay(): void {
    const all = [...this.#instances]
    if (all.some(({ isDraining }) => isDraining)) return
    const settled = all.filter(({ startedAt }) => performance.now() - startedAt > this.#host.limits.turnMs)
    const [least] = settled.toSorted((a, b) => a.inFlight - b.inFlight)
    if (least) this.drain(least)
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
    for (const waiter of this.#waiters) waiter.refuse(new Refusal(503, 'The node is about to stop: try again.'))
    await Promise.all([...this.#instances].map((instance) => instance.stop()))
  }

  get #isPausing(): boolean {
    return this.#failed !== undefined && performance.now() < this.#failed.until
  }

  #free(): Instance | undefined {
    for (const instance of this.#instances) {
      const { inFlight, isDraining, isDoubted, isEnded } = instance
      if (inFlight < this.revision.concurrency && !isDraining && !isDoubted && !isEnded) return instance
    }
    return undefined
  }

  #serveWaiters(): void {
    for (const waiter of this.#waiters) {
      const free = this.#free()
      if (!free) return
      waiter.give(free)
    }
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
      !this.#isPausing &&
      !this.#asksAgain &&
      this.#starting * concurrency < this.#waiters.size &&
      this.#instances.size + this.#starting < maxInstances
    )
      void this.#start()
  }

  async #start(max = this.revision.maxInstances): Promise<void> {
    this.#starting++
    try {
      if (!(await this.#launch(max))) this.#askAgain()
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

  /** False if the cell has as many as there may be. */
  async #launch(max = this.revision.maxInstances): Promise<boolean> {
    const { leases, clock, starts } = this.#host
    const id = await leases.take(this.revision, max)
    if (id === undefined) return false
    let instance: Instance
    try {
      const start = () => startInstance(this.#host, this.revision, id, clock.now().getTime())
      instance = await starts.run(this.revision.tenant, start)
    } catch (error) {
      await leases.release(this.revision, id)
      throw error
    }
    this.#failed = undefined
    this.#instances.add(instance)
    void instance.ended.then(async () => {
      this.#instances.delete(instance)
      await leases.release(this.revision, id)
      this.#grow()
    })
    if (this.#isClosed) await instance.stop()
    this.#serveWaiters()
    return true
  }

  #fail(error: unknown): void {
    const isTheirs = error instanceof Failure && error.kind === 'invalid'
    if (isTheirs) this.#host.log({ revision: this.revision, stream: 'platform', text: error.message })
    else this.#host.onError(error)
    const refusal = isTheirs
      ? new Refusal(500, 'The function cannot be started: its log says why.')
      : new Refusal(503, `The function cannot be run now: ${error instanceof Failure ? error.message : 'try again.'}`)
    const pauseMs = Math.min((this.#failed?.pauseMs ?? firstPauseMs / 2) * 2, longestPauseMs)
    this.#failed = { refusal, pauseMs, until: performance.now() + pauseMs }
    if (this.#instances.size === 0) for (const waiter of this.#waiters) waiter.refuse(refusal)
  }

  async #end(instance: Instance): Promise<void> {
    instance.isDraining = true // nothing is to come in between
    const isFree = !this.#isKept || (await this.#host.leases.leave(this.revision, instance.id))
    if (isFree) return await instance.stop()
    instance.isDraining = false
    instance.idleSince = this.#host.clock.now().getTime()
    this.#serveWaiters()
  }
}
