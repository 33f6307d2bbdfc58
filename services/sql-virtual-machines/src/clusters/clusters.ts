import { Failure, type Platform } from '@icosa/kernel'
import * as groups from '../groups/store.ts'
import type { InstanceRow } from '../hosting/store.ts'
import * as instances from '../hosting/store.ts'
import { adminRole, mainDatabase } from '../names.ts'
import { openGroup } from '../secrets.ts'
import { connect, isPrimary, type Member, Monitor, type MonitorAddress } from './monitor.ts'

/** The groups of a cell, through their monitors. */
export interface Clusters {
  addressOf(cluster: string): Promise<MonitorAddress>
  members(cluster: string): Promise<Member[]>
  /** Hands over to another machine in good order: nothing acknowledged is lost. */
  failOver(cluster: string): Promise<void>
  /** Tells the monitor that a machine is no more. */
  forget(row: InstanceRow, address: string): Promise<void>
  close(): Promise<void>
}

/** A checkpoint writes all that has changed in memory. */
const checkpointMs = 300_000

function gone(): never {
  throw new Failure('conflict', 'The group of the machine is not there yet, or no more.')
}

export function openClusters({ database, vault }: Platform): Clusters {
  const monitors = new Map<string, { readonly at: string; readonly monitor: Monitor }>()

  async function addressOf(cluster: string): Promise<MonitorAddress> {
    const [group, placed] = [await groups.findById(database, cluster), await instances.findPlaced(database, cluster)]
    if (!group || !placed) gone()
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

  /**
   * The setting by which commits wait for secondaries takes effect when the checkpointer has read it, and one that is busy, as after
   * a promotion, does so late. Until then the primary acknowledges alone, and a handover would lose what is on its way. The
   * checkpointer reads settings before every checkpoint.
   */
  async function awaitReplication(cluster: string, { host, port }: Member): Promise<void> {
    const { secrets } = (await groups.findById(database, cluster)) ?? gone()
    const { admin } = openGroup(vault, cluster, secrets)
    const login = { host, port, user: adminRole, password: admin, database: mainDatabase }
    const client = await connect(login, checkpointMs).catch(() => undefined) // one that has died is handed over from all the same
    await client?.query('checkpoint').finally(() => client.end().catch(() => {}))
  }

  return {
    addressOf,
    members: async (cluster) => (await monitorOf(cluster)).members(),
    async failOver(cluster) {
      const monitor = await monitorOf(cluster)
      const primary = (await monitor.members()).find(isPrimary)
      if (primary) await awaitReplication(cluster, primary)
      await monitor.failOver()
    },
    async forget({ cluster, port, kind }, address) {
      if (cluster === null || kind === 'monitor') return
      await (await monitorOf(cluster)).forget(address, port)
    },
    async close() {
      await Promise.all([...monitors.values()].map(({ monitor }) => monitor.close()))
    },
  }
}
