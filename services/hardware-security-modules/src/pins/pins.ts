import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { expiringCache, Failure, type Platform, type Vault } from '@icosa/kernel'
import type { ModuleRef } from '../token/tokens.ts'
import type { Record } from '../uses/record.ts'
import * as store from './store.ts'

export type Outcome = 'right' | 'wrong' | 'locked'

/** The PINs with which applications come to a module. */
export interface Pins {
  /** Counts an attempt, and writes one that failed down. */
  try(module: ModuleRef, pin: string, caller: string): Promise<Outcome>
  /** What is remembered of a PIN that is about to be replaced. */
  forget(module: ModuleRef): void
}

const rememberedMs = 1_000
const rememberedLimit = 10_000

/** 100 bits, in characters that nobody confuses. */
export function newPin(): string {
  const letters = 'abcdefghijkmnpqrstuvwxyz23456789'
  return Array.from(randomBytes(20), (byte) => letters[byte % letters.length]).join('')
}

export const hashOf = (vault: Vault, { id }: Pick<ModuleRef, 'id'>, pin: string): Buffer =>
  createHmac('sha256', vault.derive('hardware security modules: pins')).update(`${id} ${pin}`).digest()

export function openPins({ database, vault }: Platform, record: Record, attempts: number): Pins {
  const rights = new Map<string, number>() // how often the PIN of a module was replaced on this node
  const right = expiringCache<Outcome>({
    name: 'hardware-security-modules pins',
    forMs: rememberedMs,
    limit: rememberedLimit,
    keep: (outcome) => outcome === 'right',
    async find(key) {
      const [tenant = '', id = '', , pin = ''] = JSON.parse(key) as string[]
      return count({ tenant, id }, pin)
    },
  })

  function count(module: ModuleRef, pin: string): Promise<Outcome> {
    const hash = hashOf(vault, module, pin)
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
    })
  }

  return {
    async try(module, pin, caller) {
      const outcome = await right.get(
        JSON.stringify([module.tenant, module.id, String(rights.get(module.id) ?? 0), pin]),
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
      rights.set(module.id, (rights.get(module.id) ?? 0) + 1)
    },
  }
}

export const locked = () =>
  new Failure(
    'forbidden',
    'The PIN is locked after too many wrong ones: whoever manages the module replaces it, by POST on its /pin.',
    { code: 'PinLocked' },
  )
