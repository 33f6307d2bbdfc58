import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '@icosa/kernel'
import type { Tenancy } from '@icosa/module'
import { hostsOf, releasePorts, requestRemoval } from './hosting/store.ts'
import type { Values } from './settings.ts'

const maxRemovalMs = 5 * 60_000
const pollMs = 200

/** Machines are processes and files of nodes: their rows stay until a node has removed them. */
export const tenancy: Tenancy<Values> = {
  async release(tenant, { database }) {
    await requestRemoval(database, tenant)
    const startedAt = performance.now()
    for (;;) {
      const hosts = await hostsOf(database, tenant)
      if (hosts.length === 0) return
      const deadHosts = hosts.filter(({ isAlive }) => !isAlive).map(({ address }) => address)
      if (deadHosts.length > 0 || performance.now() - startedAt > maxRemovalMs)
        throw new Failure(
          'unavailable',
          `Machines remain on ${(deadHosts.length > 0 ? deadHosts : hosts.map(({ address }) => address)).join(', ')}: start a worker there, and try again.`,
        )
      await sleep(pollMs)
    }
  },
  removeRows: releasePorts,
}
