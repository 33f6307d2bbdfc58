import { Failure, type Platform } from '@icosa/kernel'
import * as groups from '../groups/store.ts'
import type { InstanceRow } from '../hosting/store.ts'
import * as instances from '../hosting/store.ts'
import { openGroup } from '../secrets.ts'
import { type Member, Monitor, type MonitorAddress } from './monitor.ts'

/** The groups of a cell, through their monitors. */
export interface Clusters {
  addressOf(cluster: string): Promise<MonitorAddress>
  members(cluster: string): Promise<Member[]>
  failOver(cluster: string): Promise<void>
  /** Tells the monitor that a machine is no more. */
  forget(row: InstanceRow, address: string): Promise<void>
  close(): Promise<void>
}

export function openClusters({ database, vault }: Platform): Clusters {
  const monitors = new Map<string, { readonly at: string; readonly monitor: Monitor }>()

  async function addressOf(cluster: string): Promise<MonitorAddress> {
    const [group, placed] = [await groups.findById(database, cluster), await instances.findPlaced(database, cluster)]
    if (!group || !placed) throw new Failure('conflict', 'The group of the machine is not there yet, or no more.')
    return { address: placed.address, port: placed.port, password: openGroup(vault, cluster, group.secrets).monitor }
  }

  /** A monitor may come to run elsewhere. */
  async function monitorOf(cluster: string): Promise<Monitor> {
    const at = await addressOf(cluster)
    const key = `${at.address}:${at.port}`
    const known = monitors.get(cluster)
    if (known?.at === key) return known.monitor
    await known?.monitor.close()
    const monitor = new Monitor(at)
    monitors.set(cluster, { at: key, monitor })
    return monitor
  }

  return {
    addressOf,
    members: async (cluster) => (await monitorOf(cluster)).members(),
    failOver: async (cluster) => (await monitorOf(cluster)).failOver(),
    async forget({ cluster, port, kind }, address) {
      if (cluster === null || kind === 'monitor') return
      await (await monitorOf(cluster)).forget(address, port)
    },
    async close() {
      await Promise.all([...monitors.values()].map(({ monitor }) => monitor.close()))
    },
  }
}
