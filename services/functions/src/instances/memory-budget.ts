import { Failure } from '@icosa/kernel'

/** Memory that a node may spend on instances. */
export interface MemoryBudget {
  /** Waits until the reservation fits. */
  reserve(reservation: Reservation): Promise<void>
  release(tenant: string, bytes: number): void
  /** To be called periodically: an instance that could not be evicted for a waiting reservation may be evictable now. */
  rebalance(): void
}

export interface Reservation {
  readonly tenant: string
  readonly bytes: number
  /** Whether it is for the first instance of a revision, which has priority over further ones of others. */
  readonly isFirst: boolean
}

export interface MemoryBudgetOptions {
  readonly bytes: number
  readonly waitMs: number
  /**
   * Stops an idle instance, or drains a busy one if the reservation is a first one; only the tenant's own if it is over its
   * limit. Returns whether there was one.
   */
  readonly evict: (reservation: Reservation, fromOwnTenant: boolean) => boolean
  /** Bytes that draining instances will free, of all tenants or of one. */
  readonly drainingBytes: (tenant?: string) => number
}

/** Fraction of the budget that one tenant may use. */
const maxTenantFraction = 0.75

interface Waiter extends Reservation {
  readonly grant: () => void
}

/** Instances stay warm until a reservation needs their memory; then the least recently used is evicted. */
export function openMemoryBudget({ bytes: total, waitMs, evict, drainingBytes }: MemoryBudgetOptions): MemoryBudget {
  const bytesByTenant = new Map<string, number>()
  const waiters = new Set<Waiter>()
  let reserved = 0
  const tenantLimit = total * maxTenantFraction
  const bytesOf = (tenant: string) => bytesByTenant.get(tenant) ?? 0
  const exceedsTenantLimit = ({ tenant, bytes }: Reservation) => bytesOf(tenant) + bytes > tenantLimit
  const fits = (reservation: Reservation) => reserved + reservation.bytes <= total && !exceedsTenantLimit(reservation)
  const add = (tenant: string, bytes: number) => {
    reserved += bytes
    const sum = bytesOf(tenant) + bytes
    if (sum > 0) bytesByTenant.set(tenant, sum)
    else bytesByTenant.delete(tenant)
  }
  /** Grants reservations that fit, and evicts an instance for each other one unless draining instances free enough. */
  const rebalance = () => {
    let pending = 0
    const pendingByTenant = new Map<string, number>()
    for (const waiter of [...waiters].toSorted((a, b) => Number(b.isFirst) - Number(a.isFirst))) {
      if (fits(waiter)) {
        waiter.grant()
        continue
      }
      const { tenant, bytes } = waiter
      const ownPending = (pendingByTenant.get(tenant) ?? 0) + bytes
      pendingByTenant.set(tenant, ownPending)
      pending += bytes
      const isEnoughDraining =
        reserved + pending - drainingBytes() <= total &&
        bytesOf(tenant) + ownPending - drainingBytes(tenant) <= tenantLimit
      if (!isEnoughDraining) evict(waiter, exceedsTenantLimit(waiter))
    }
  }
  const refusal = (reservation: Reservation) =>
    new Failure(
      'unavailable',
      exceedsTenantLimit(reservation)
        ? 'Your functions use all the memory of this node that one tenant may have: try again shortly.'
        : 'The memory of this node for functions is used up: try again shortly.',
      { retryAfterSeconds: 1 },
    )

  return {
    async reserve(reservation) {
      const { tenant, bytes } = reservation
      if (bytes > tenantLimit)
        throw new Failure('unavailable', `This node has no room for instances of ${Math.round(bytes / 2 ** 20)} MiB.`)
      if (fits(reservation)) return add(tenant, bytes)
      await new Promise<void>((resolve, reject) => {
        const timeout = setTimeout(() => {
          waiters.delete(waiter)
          reject(refusal(reservation))
        }, waitMs)
        const grant = () => {
          clearTimeout(timeout)
          waiters.delete(waiter)
          add(tenant, bytes)
          resolve()
        }
        const waiter: Waiter = { ...reservation, grant }
        waiters.add(waiter)
        rebalance()
      })
    },
    release(tenant, bytes) {
      add(tenant, -bytes)
      rebalance()
    },
    rebalance,
  }
}
