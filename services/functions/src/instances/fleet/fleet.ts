import type { Revision } from '../../revision.ts'
import type { Instance } from '../instance.ts'
import type { Abort } from '../requests/abort.ts'
import { Refusal } from '../requests/refusal.ts'
import { Autoscaler, type FleetHost } from './autoscaler.ts'
import * as eviction from './eviction.ts'
import * as health from './health.ts'

/** The instances of one revision on this node, as requests and the node use them. */
export class Fleet {
  readonly revision: Revision
  readonly #host: FleetHost
  readonly #scaler: Autoscaler
  /** Requests in progress, including those whose instance has ended and that may need another one. */
  #requests = 0

  constructor(revision: Revision, host: FleetHost) {
    this.revision = revision
    this.#host = host
    this.#scaler = new Autoscaler(revision, host)
  }

  get isEmpty(): boolean {
    return this.#scaler.size + this.#requests === 0 && !this.#scaler.keepsMinimum
  }
  /** Memory that draining instances will free. */
  get drainingBytes(): number {
    const draining = [...this.#scaler.instances].filter(({ isDraining, isEnded }) => isDraining && !isEnded)
    return draining.length * this.revision.memoryBytes
  }
  get size(): number {
    return this.#scaler.instances.size
  }
  get idlest(): Instance | undefined {
    return eviction.idlestOf(this.#scaler)
  }

  /** Keeps the fleet from being dropped while a request may still acquire an instance. */
  async during<T>(request: () => Promise<T>): Promise<T> {
    this.#requests++
    try {
      return await request()
    } finally {
      this.#requests--
    }
  }

  /** To be called once the node no longer tracks the fleet. */
  drop(): void {
    if (!this.isEmpty) throw new Error(`The fleet of ${this.revision.id} was dropped though it is in use.`)
    this.#scaler.isDropped = true
  }

  /** Returns an instance synchronously if one is available, else queues the request. The caller releases it. */
  acquire(abort: Abort): Instance | Promise<Instance> {
    const available = this.#scaler.available()
    if (available) {
      available.inFlight++
      return available
    }
    const { startRefusal, queue } = this.#scaler
    const { maxWaiting, waitMs } = this.#host.limits
    if (startRefusal) throw startRefusal
    if (queue.size >= maxWaiting)
      throw new Refusal(
        429,
        `More than ${maxWaiting} requests already wait for this function: send fewer concurrently.`,
      )
    const instance = queue.wait(abort, waitMs, () => this.#busy())
    this.#scaler.scaleOut()
    return instance
  }

  release(instance: Instance): void {
    instance.inFlight--
    instance.idleSince = this.#host.clock.now().getTime()
    instance.idleAt = performance.now()
    if (instance.isDraining && instance.inFlight === 0) void instance.stop()
    else this.#scaler.dispatch()
  }

  #busy(): Refusal {
    const { maxInstances, concurrency } = this.revision
    return new Refusal(
      429,
      `All ${maxInstances} instances that this function may have are busy, with up to ${concurrency} requests each: send fewer concurrently, or raise its maximum.`,
    )
  }

  /** Adds a refusal to the function's log. */
  logRefusal(invocation: string, refusal: Refusal): Refusal {
    this.#host.log({ revision: this.revision, invocation, stream: 'platform', text: refusal.message })
    return refusal
  }

  onTimeout(instance: Instance): void {
    health.onTimeout(this.#scaler, instance)
  }

  checkLiveness(instance: Instance): void {
    health.checkLiveness(this.#scaler, instance)
  }

  /** To be called periodically. */
  tick(): void {
    eviction.scaleIn(this.#scaler)
    this.#scaler.scaleOut()
  }

  coldStart(): Promise<void> {
    return this.#scaler.coldStart()
  }

  ensureMinimum(): Promise<void> {
    return this.#scaler.ensureMinimum()
  }

  yieldInstance(): void {
    eviction.yieldInstance(this.#scaler)
  }

  evictOne(): boolean {
    return eviction.evictOne(this.#scaler)
  }

  set isRetired(value: boolean) {
    this.#scaler.isRetired = value
  }

  /** Stops the instance whose lease has expired: another node may have started one in its place. */
  onLeaseLost(id: string): void {
    for (const instance of this.#scaler.instances) {
      if (instance.id !== id) continue
      instance.report('It was stopped: its node could not renew its lease in time.')
      void instance.stop()
    }
  }

  async close(): Promise<void> {
    this.#scaler.isClosed = true
    this.#scaler.queue.rejectAll(new Refusal(503, 'The node is stopping: try again.'))
    await Promise.all([...this.#scaler.instances].map((instance) => instance.stop()))
  }
}
