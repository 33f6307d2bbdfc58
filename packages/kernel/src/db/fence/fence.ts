import { setTimeout as sleep } from 'node:timers/promises'
import { batcher } from '../../memory/batcher.ts'
import type { ReadingDb } from '../db.ts'
import { Misdirected, readSnapshot, type Snapshot, TenantFenced } from './states.ts'

/** For a transaction that writes for many tenants: it locks the gates of all of them. */
export const ALL_TENANTS: unique symbol = Symbol('all tenants')

/** Whose rows a transaction writes. */
export type WriterOf = string | typeof ALL_TENANTS

/** The gate that a transaction was to lock has been dropped: the tenant's state has changed. */
export class GateGone extends Error {}

export interface Fence {
  /** Begins `work` with the text that locks the tenant's gate, once the tenant may be written. Waits while it is fenced. */
  run<T>(writerOf: WriterOf, work: (begin: string) => Promise<T>): Promise<T>
  /** Whether the tenant lives here, as of a second ago. False if that is not known. */
  isHere(tenant: string): boolean
  /** Asks the database. Rejects if the tenant lives in another cell. */
  confirmHere(tenant: string): Promise<void>
  /** The same for the tenant with a tag. */
  confirmTagHere(tag: string): Promise<void>
  /** Learns which tenants have changed. Concurrent calls share a statement. */
  refresh(): Promise<void>
}

/** How long reads may be served of a tenant that has left. */
const maxAgeMs = 1_000
/** How long writes wait for a fenced tenant. */
const maxWaitMs = 5_000
const pauseMs = 25

/**
 * Excludes writes to tenants that leave the cell. A node only caches which gate a tenant has; PostgreSQL checks it,
 * since a gate that does not exist any more cannot be locked.
 */
export function openFence(db: ReadingDb): Fence {
  let last: Snapshot | undefined
  let begin = '' // of the tenants without a gate of their own
  let readAt = Number.NEGATIVE_INFINITY
  let renewing: Promise<void> | undefined

  /** A read that is under way may be too old for its caller, who waits for the next one. */
  const ask = batcher(async () => {
    const startedAt = performance.now()
    last = await readSnapshot(db, last)
    begin = beginWith([last.gate])
    readAt = startedAt
  })

  const refresh = () => ask(undefined)

  /** Undefined while the tenant must not be written, or if that is unknown. */
  function beginOf(writerOf: WriterOf): string | undefined {
    if (!last) return undefined
    if (last.leaving.size === 0) return begin
    if (writerOf === ALL_TENANTS)
      return beginWith([last.gate, ...[...last.leaving.values()].flatMap(({ gate }) => gate ?? [])])
    const tenant = last.leaving.get(writerOf)
    if (!tenant) return begin
    return tenant.gate === null ? undefined : beginWith([tenant.gate])
  }

  const isFresh = () => performance.now() - readAt < maxAgeMs

  function renew(): Promise<void> {
    renewing ??= refresh().finally(() => {
      renewing = undefined
    })
    return renewing
  }

  function refuseMoved(tenant: string): void {
    const leaving = last?.leaving.get(tenant)
    if (leaving?.state === 'moved') throw new Misdirected(leaving.cell)
  }

  return {
    isHere: (tenant) => isFresh() && last?.leaving.get(tenant)?.state !== 'moved',
    async confirmHere(tenant) {
      if (!isFresh()) await renew()
      if (last?.leaving.get(tenant)?.state !== 'moved') return
      await refresh() // it may have arrived a moment ago
      refuseMoved(tenant)
    },
    async confirmTagHere(tag) {
      if (!isFresh()) await renew()
      if (!last?.departed.has(tag)) return
      await refresh()
      const cell = last.departed.get(tag)
      if (cell !== undefined) throw new Misdirected(cell, 'This tenant lives in another cell: send the request there.')
    },
    refresh,
    async run(writerOf, work) {
      const until = performance.now() + maxWaitMs
      for (let attempt = 1; ; attempt++) {
        const text = beginOf(writerOf)
        if (text !== undefined)
          try {
            return await work(text)
          } catch (error) {
            if (!(error instanceof GateGone)) throw error
          }
        await refresh()
        if (writerOf !== ALL_TENANTS) refuseMoved(writerOf)
        if (performance.now() > until) throw new TenantFenced()
        if (attempt > 1) await sleep(pauseMs)
      }
    },
  }
}

/** In the order of their numbers, so that two transactions never wait for each other. */
const beginWith = (gates: readonly number[]) =>
  `begin; lock table ${gates
    .toSorted((a, b) => a - b)
    .map(gateName)
    .join(', ')} in access share mode`

export const gateName = (gate: number) => `icosa.gate_${gate}`
