import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { expiringCache, Failure, type Platform, type Vault } from '@icosa/kernel'
import type { ModuleRef } from '../token/tokens.ts'
import type { Record } from '../uses/record.ts'
import * as store from './store.ts'

export type Outcome = 'right' | 'wrong' | 'locked'

/** PINs by which applications authenticate. */
export interface Pins {
  /** Counts an attempt, and records a failed one. */
  try(module: ModuleRef, pin: string, caller: string): Promise<Outcome>
  /** Must be called before a replaced PIN commits. */
  forget(module: ModuleRef): void
}

const cacheMs = 1_000
const maxCached = 10_000

/** 100 random bits, without ambiguous characters. */
export function newPin(): string {
  const letters = 'abcdefghijkmnpqrstuvwxyz23456789'
  return Array.from(randomBytes(20), (byte) => letters[byte % letters.length]).join('')
}

export const hashOf = (vault: Vault, { id }: Pick<ModuleRef, 'id'>, pin: string): Buffer =>
  createHmac('sha256', vault.derive('hardware security modules: pins')).update(`${id} ${pin}`).digest()

export function openPins({ database, cellVault }: Platform, record: Record, attempts: number): Pins {
  const generations = new Map<string, number>() // number of PIN replacements on this node, by module
  const cache = expiringCache<Outcome>({
    name: 'hardware-security-modules pins',
    forMs: cacheMs,
    limit: maxCached,
    keep: (outcome) => outcome === 'right',
    async find(key) {
      const [tenant = '', id = '', , pin = ''] = JSON.parse(key) as string[]
      return check({ tenant, id }, pin)
    },
  })

  async function check(module: ModuleRef, pin: string): Promise<Outcome> {
    const hash = hashOf(await cellVault.of(module.tenant), module, pin)
    return database.transaction(async (db) => {
      const row = await store.lock(db, module)
      if (!row?.hash) return 'wrong'
      if (row.failures >= attempts) return 'locked'
      if (!timingSafeEqual(row.hash, hash)) {
        await store.setFailures(db, module, row.failures + 1)
        return 'wrong'
      }
      if (row.failures > 0) await store.setFailures(db, module, 0)
      return 'right'
    }, module.tenant)
  }

  return {
    async try(module, pin, caller) {
      const outcome = await cache.get(
        JSON.stringify([module.tenant, module.id, String(generations.get(module.id) ?? 0), pin]),
      )
      if (outcome !== 'right') {
        const { tenant, id } = module
        const detail = outcome === 'locked' ? 'the PIN is locked' : 'the PIN is wrong'
        await record({
          tenant,
          module: id,
          key: null,
          operation: 'login',
          algorithm: null,
          caller,
          outcome: 'refused',
          detail,
        })
      }
      return outcome
    },
    forget(module) {
      generations.set(module.id, (generations.get(module.id) ?? 0) + 1)
    },
  }
}

export const locked = () =>
  new Failure(
    'forbidden',
    'The PIN is locked after too many wrong attempts. The manager of the module can replace it with POST /pin.',
    { code: 'PinLocked' },
  )
