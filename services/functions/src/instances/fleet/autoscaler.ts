import type { Revision } from '../../revision.ts'
import type { Instance } from '../instance.ts'
import { type LaunchHost, type LaunchOptions, launch } from '../launch.ts'
import type { FleetLimits } from '../limits.ts'
import { isFunctionError, type Refusal, StartBackoff } from '../requests/refusal.ts'
import { WaitingQueue } from './waiting-queue.ts'

export interface FleetHost extends LaunchHost {
  readonly limits: FleetLimits
  readonly onError: (error: unknown) => void
}

/** Delay before asking again for a lease when the cell is at the revision's maximum. */
const leaseRetryMs = 250

/** The instances of one revision on this node and the queue for them; starts instances as the queue grows. */
export class Autoscaler {
  readonly revision: Revision
  readonly host: FleetHost
  readonly instances = new Set<Instance>()
  readonly queue = new WaitingQueue()
  /** Whether a newer revision has taken over. */
  isRetired = false
  isClosed = false
  /** Whether the node no longer tracks this fleet: an instance started now would run unsupervised. */
  isDropped = false
  #starting = 0
  #hasLeaseRetry = false
  #backoff: StartBackoff | undefined

  constructor(revision: Revision, host: FleetHost) {
    this.revision = revision
    this.host = host
  }

  /** Number of running and starting instances. */
  get size(): number {
    return this.instances.size + this.#starting
  }
  get keepsMinimum(): boolean {
    return this.revision.minInstances > 0 && !this.isRetired
  }
  /** Set while no instance runs and the last start failed so recently that none is attempted. */
  get startRefusal(): Refusal | undefined {
    return this.#backoff?.isActive && this.size === 0 ? this.#backoff.refusal : undefined
  }

  /** Returns an instance below its concurrency limit. */
  available(): Instance | undefined {
    for (const instance of this.instances) {
      const { inFlight, isDraining, isSuspect, isEnded } = instance
      if (inFlight < this.revision.concurrency && !isDraining && !isSuspect && !isEnded) return instance
    }
    return undefined
  }

  dispatch(): void {
    this.queue.dispatch(() => this.available())
  }

  /** Lets an instance finish the requests it has, then stops it. */
  drain(instance: Instance): void {
    instance.isDraining = true
    if (instance.inFlight === 0) void instance.stop()
    this.scaleOut()
  }

  /** Starts as many instances as the queue needs, up to the maximum. */
  scaleOut(): void {
    const { concurrency, maxInstances } = this.revision
    while (
      !this.isClosed &&
      !this.#backoff?.isActive &&
      !this.#hasLeaseRetry &&
      this.#starting * concurrency < this.queue.size &&
      this.size < maxInstances
    )
      void this.#start({ max: maxInstances, isNeeded: () => this.queue.size > 0 })
  }

  /** Starts an instance unless one runs. Rejects with a failure that explains the problem to the function's author. */
  async coldStart(): Promise<void> {
    if ([...this.instances].some((instance) => !instance.isDraining)) return
    this.#backoff = undefined
    this.#starting++
    try {
      await this.#launch({ max: this.revision.maxInstances, isNeeded: () => true })
    } finally {
      this.#starting--
    }
    this.scaleOut()
  }

  /** Starts what the cell lacks of the minimum number of instances. */
  async ensureMinimum(): Promise<void> {
    const { minInstances, maxInstances } = this.revision
    if (!this.keepsMinimum || this.#backoff?.isActive || this.isClosed) return
    const minimum = Math.min(minInstances, maxInstances)
    const missing = minimum - (await this.host.leases.countActive(this.revision))
    if (!this.keepsMinimum) return // retired meanwhile
    for (let starting = this.#starting; starting < missing; starting++)
      void this.#start({ max: minimum, isNeeded: () => true }) // as max, since other nodes do the same now
  }

  async #start(options: Omit<LaunchOptions, 'isFirst'>): Promise<void> {
    this.#starting++
    try {
      if (!(await this.#launch(options))) this.#scheduleLeaseRetry()
    } catch (error) {
      this.#onStartFailed(error)
    } finally {
      this.#starting--
    }
    this.dispatch()
    this.scaleOut()
  }

  /** Returns false if the cell is at the maximum, or if the instance is no longer needed. */
  async #launch(options: Omit<LaunchOptions, 'isFirst'>): Promise<boolean> {
    if (this.isDropped) throw new Error(`The fleet of ${this.revision.id} was dropped and cannot start instances.`)
    const isFirst = this.instances.size === 0 && this.#starting === 1
    const launched = await launch(this.host, this.revision, { ...options, isFirst })
    if (!launched) return false
    const { instance, released } = launched
    this.#backoff = undefined
    this.instances.add(instance)
    void instance.ended.then(() => this.instances.delete(instance))
    void released.then(() => this.scaleOut())
    if (this.isClosed) await instance.stop()
    this.dispatch()
    return true
  }

  #scheduleLeaseRetry(): void {
    if (this.#hasLeaseRetry) return
    this.#hasLeaseRetry = true
    setTimeout(() => {
      this.#hasLeaseRetry = false
      this.scaleOut()
    }, leaseRetryMs).unref()
  }

  #onStartFailed(error: unknown): void {
    if (isFunctionError(error)) this.host.log({ revision: this.revision, stream: 'platform', text: error.message })
    else this.host.onError(error)
    this.#backoff = new StartBackoff(error, this.#backoff)
    if (this.instances.size === 0) this.queue.rejectAll(this.#backoff.refusal)
  }
}
