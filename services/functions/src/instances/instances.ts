import { chmod, mkdir } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { type Clock, type Database, every, fairSemaphore } from '@icosa/kernel'
import { openSandbox, type RuntimeName } from '@icosa/sandbox'
import type { Network } from '../egress/network.ts'
import type { Instances, Revision } from '../revision.ts'
import { openRuntimes, type RuntimeSettings } from '../runtimes/index.ts'
import { openArtifacts } from './artifacts/artifacts.ts'
import type { FleetHost } from './fleet/autoscaler.ts'
import { Fleet } from './fleet/fleet.ts'
import { openLeases } from './leases.ts'
import { type FleetLimits, fleetLimits } from './limits.ts'
import type { Line } from './lines.ts'
import { openMemoryBudget, type Reservation } from './memory-budget.ts'
import { callOnce, invokeOnce } from './requests/call.ts'
import { type Call, serve } from './requests/serve.ts'

export interface InstancesOptions {
  readonly database: Database
  /** Unique name of this process in the cell. */
  readonly node: string
  readonly clock: Clock
  readonly artifacts: { open(tenant: string, key: string): Promise<Readable> }
  readonly sandbox?: { readonly runtime?: RuntimeName; readonly state?: string }
  readonly runtimes?: RuntimeSettings
  /** For unpacked code, runners and sandboxes. Nodes on one machine may share it. */
  readonly folder: string
  log(line: Line & { readonly revision: Revision }): void
  /** Receives errors of background work. */
  readonly onError: (error: unknown) => void
  readonly limits?: Partial<FleetLimits>
  readonly intervals?: Partial<typeof defaultIntervals>
  /** The outbound connections of instances. */
  readonly network?: Network | undefined
  /** Memory budget of all instances together. */
  readonly memoryBytes?: number
  /** Size limit of the cache of unpacked code. */
  readonly artifactBytes?: number
}

export interface OpenedInstances extends Instances {
  serve(revision: Revision, request: IncomingMessage, reply: ServerResponse, call: Call): Promise<void>
  /** Number of instances on this node, of all revisions or of one. */
  running(revisionId?: string): number
  /** Stops all instances. */
  close(): Promise<void>
}

const defaultIntervals = { tickMs: 1_000, renewMs: 3_000 }
const touchMs = 120_000

export async function openInstances(options: InstancesOptions): Promise<OpenedInstances> {
  const { database, node, clock, folder, log, onError } = options
  await mkdir(folder, { recursive: true })
  await chmod(folder, 0o711) // programs reach their code through it
  const sandbox = await openSandbox({ state: join(folder, 'sandbox'), ...options.sandbox, onError })
  const artifacts = await openArtifacts({
    folder: join(folder, 'artifacts'),
    open: options.artifacts.open,
    maxBytes: options.artifactBytes ?? 10 * 2 ** 30,
    onError,
  })
  const leases = openLeases(database, node)
  const limits = { ...fleetLimits, ...options.limits }
  const { tickMs, renewMs } = { ...defaultIntervals, ...options.intervals }
  const fleets = new Map<string, Fleet>()
  const fleetsOf = (tenant?: string) =>
    [...fleets.values()].filter(({ revision }) => tenant === undefined || revision.tenant === tenant)
  const host: FleetHost = {
    ...{ sandbox, artifacts, leases, clock, log, onError, limits, network: options.network },
    memory: openMemoryBudget({
      bytes: options.memoryBytes ?? totalmem() * 0.75,
      waitMs: limits.waitMs / 2,
      evict: (reservation, fromOwnTenant) =>
        evictFor(reservation, fleetsOf(fromOwnTenant ? reservation.tenant : undefined)),
      drainingBytes: (tenant) => fleetsOf(tenant).reduce((sum, fleet) => sum + fleet.drainingBytes, 0),
    }),
    runtimes: openRuntimes(join(folder, 'runtimes'), options.runtimes),
    starts: fairSemaphore(Math.max(2, cpus().length * 2)),
  }
  const fleetOf = (revision: Revision): Fleet => {
    const key = `${revision.tenant} ${revision.id}`
    let fleet = fleets.get(key)
    if (!fleet) {
      fleet = new Fleet(revision, host)
      fleets.set(key, fleet)
    }
    return fleet
  }

  const tick = () => {
    for (const [key, fleet] of fleets) {
      fleet.tick()
      if (!fleet.isEmpty) continue
      fleets.delete(key)
      fleet.drop()
    }
    host.memory.rebalance()
  }
  const renew = async () => {
    const lost = await leases.renew()
    const current = [...fleets.values()]
    if (current.length === 0) return
    for (const fleet of current) for (const id of lost) fleet.onLeaseLost(id)
    const { retired, contended } = await leases.changes(current.map(({ revision }) => revision))
    for (const fleet of current) {
      fleet.isRetired = retired.has(fleet.revision.id)
      if (contended.has(fleet.revision.id)) fleet.yieldInstance()
      await fleet.ensureMinimum()
    }
  }
  const stops = [
    every(tickMs, tick, onError),
    every(renewMs, renew, onError),
    every(touchMs, artifacts.touch, onError),
    every(touchMs, leases.sweep, onError),
  ]
  await leases.sweep().catch(onError)

  return {
    serve: (revision, request, reply, call) => serve(fleetOf(revision), request, reply, call),
    call: (revision, request, id) => invokeOnce(fleetOf(revision), request, id),
    callOnce: (revision, request, id, maxBytes) => callOnce(fleetOf(revision), request, id, maxBytes),
    warm: (revision) => fleetOf(revision).coldStart(),
    async retire(revision) {
      if (!(await leases.retire(revision))) return
      for (const fleet of fleets.values()) if (fleet.revision.id === revision.id) fleet.isRetired = true
    },
    running: (revisionId) =>
      [...fleets.values()].reduce(
        (sum, { revision, size }) => sum + (revisionId === undefined || revision.id === revisionId ? size : 0),
        0,
      ),
    async close() {
      for (const stop of stops) stop()
      await Promise.all([...fleets.values()].map((fleet) => fleet.close()))
      await sandbox.close()
    },
  }
}

/** Stops the least recently used idle instance; for a first one of a revision, else drains one of the largest fleet. */
function evictFor({ tenant, isFirst }: Reservation, fleets: readonly Fleet[]): boolean {
  const [idlest] = fleets.flatMap((fleet) => fleet.idlest ?? []).toSorted((a, b) => a.idleAt - b.idleAt)
  if (idlest) {
    void idlest.stop()
    return true
  }
  if (!isFirst) return false
  // Busy instances of another tenant are evicted only if it has more than this one, over all functions.
  const sizeOf = (owner: string) =>
    fleets.reduce((sum, { revision, size }) => sum + (revision.tenant === owner ? size : 0), 0)
  const larger = fleets.filter(({ revision: { tenant: owner } }) => owner === tenant || sizeOf(owner) > sizeOf(tenant))
  return larger.toSorted((a, b) => b.size - a.size)[0]?.evictOne() ?? false
}
