import type { Socket } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { ownBlobs } from '../blobs.ts'
import { type Caller, type Context, tenantOf } from '../context.ts'
import type { Db } from '../db/db.ts'
import { type OperationsOf, operationsIn } from '../jobs/operations.ts'
import { type BoundJobs, jobsIn } from '../jobs/queue.ts'
import type { Platform } from '../platform.ts'
import { type ResourcesOf, resourcesIn } from '../ports/resources.ts'
import type { StartedService } from '../service.ts'

/** Context of one request. Rarely used parts are created on demand. */
export class RequestContext implements Context {
  readonly db: Db
  readonly caller: Caller
  readonly #platform: Platform
  readonly #service: StartedService
  readonly #request: FastifyRequest
  readonly #writes: boolean
  #jobs: BoundJobs | undefined

  constructor(platform: Platform, service: StartedService, caller: Caller, request: FastifyRequest, transaction?: Db) {
    // Handlers that only read are compiled against `ReadingDb`.
    this.db = transaction ?? (platform.database.of(request.fairnessKey).reading as Db)
    this.caller = caller
    this.#platform = platform
    this.#service = service
    this.#request = request
    this.#writes = transaction !== undefined
  }

  get runtime() {
    return this.#service.runtime
  }

  get clock() {
    return this.#platform.clock
  }

  /** Handlers take it out of the context: it needs no `this`. */
  get tenantVault() {
    return () => this.#platform.cellVault.of(this.caller.tenant, this.#writes ? this.db : undefined)
  }

  get cellVault() {
    return this.#platform.cellVault
  }

  get blobs() {
    return ownBlobs(this.#platform.blobs, this.#service.name, () => this.caller.tenant)
  }

  get jobs(): BoundJobs {
    if (!this.#writes) throw new Error('This operation only reads: it cannot enqueue jobs.')
    this.#jobs ??= jobsIn(this.#platform.queue, this.db, this.#service.name, this.caller.tenant)
    return this.#jobs
  }

  get operations(): OperationsOf {
    return operationsIn(this.db, this.clock, () => this.jobs, this.#service.name, this.caller.tenant)
  }

  get resources(): ResourcesOf {
    return resourcesIn(this.db, this.clock, this.#service.name, this.caller.tenant, this.jobs.touched)
  }

  get log() {
    return this.#platform.log.child({
      requestId: this.#request.id,
      traceId: this.#request.trace?.traceId,
      tenant: tenantOf(this.caller),
    })
  }

  get signal() {
    return hangUpOf(this.#request.raw.socket)
  }

  /** Queues with new jobs. */
  get touched(): Iterable<string> {
    return this.#jobs?.touched ?? []
  }
}

const hangUps = new WeakMap<Socket, AbortSignal>()

/** Aborts when the caller disconnects. Fastify's own signal also aborts when a streamed body has been read. */
function hangUpOf(socket: Socket): AbortSignal {
  const existing = hangUps.get(socket)
  if (existing) return AbortSignal.any([existing]) // specific to this request, so that its listeners are released with it
  const controller = new AbortController()
  socket.once('close', () => controller.abort())
  if (socket.destroyed) controller.abort()
  hangUps.set(socket, controller.signal)
  return AbortSignal.any([controller.signal])
}
