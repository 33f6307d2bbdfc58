import { job } from '@icosa/kernel'
import type { ServiceRuntime } from '../runtime.ts'
import { makeLocksPermanent } from '../vaults/store.ts'
import { tidyUp } from './maintenance.ts'
import { expire } from './maintenance-store.ts'

export const expireEveryMs = 60_000
const batch = 1_000

/** Deletes expired recovery points of all tenants, except those under a legal hold, and makes due locks permanent. */
export const expirePoints = job<Record<string, never>, ServiceRuntime>('expirePoints', {
  lane: 'punctual',
  async run(_, { clock, transaction }) {
    const now = clock.now()
    await transaction((db) => makeLocksPermanent(db, now))
    for (;;) {
      const expired = await transaction(async (db, jobs) => {
        const rows = await expire(db, now, batch)
        const vaults = new Map(rows.map((row) => [JSON.stringify([row.tenant, row.vault]), row]))
        for (const { tenant, vault } of vaults.values()) await tidyUp(jobs, vault, tenant)
        return rows.length
      })
      if (expired < batch) return undefined
    }
  },
})
