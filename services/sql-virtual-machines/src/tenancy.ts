import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '@icosa/kernel'
import type { Tenancy } from '@icosa/module'
import type { Values } from './settings.ts'
import { hostsOf, removeRows, unwant } from './tenancy-store.ts'

const patienceMs = 5 * 60_000
const lookMs = 200

/** Machines are processes and files of hosts: a row without which nobody would remove them stays until they are gone. */
export const tenancy: Tenancy<Values> = {
  async release(tenant, { database }) {
    await unwant(database, tenant)
    const began = performance.now()
    for (;;) {
      const hosts = await hostsOf(database, tenant)
      if (hosts.length === 0) return
      const silent = hosts.filter(({ isAlive }) => !isAlive).map(({ address }) => address)
      if (silent.length > 0 || performance.now() - began > patienceMs)
        throw new Failure(
          'unavailable',
          `Machines are left on ${(silent.length > 0 ? silent : hosts.map(({ address }) => address)).join(', ')}: see that a worker runs there, and try again.`,
        )
      await sleep(lookMs)
    }
  },
  removeRows,
}
