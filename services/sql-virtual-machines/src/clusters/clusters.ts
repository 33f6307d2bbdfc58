import { Failure, type Platform } from '@icosa/kernel'
import * as groups from '../groups/store.ts'
import type { InstanceRow } from '../hosting/store.ts'
import * as instances from '../hosting/store.ts'
import { adminRole, mainDatabase } from '../names.ts'
import { openGroup } from '../secrets.ts'
import { connect, isPrimary, type Member, Monitor, type MonitorAddress } from './monitor.ts'

/** Access to the monitors of a cell's groups. */
export interface Clusters {
  addressOf(cluster: string): Promise<MonitorAddress>
  members(cluster: string): Promise<Member[]>
  /** Planned failover: no acknowledged write is lost. */
  failOver(cluster: string): Promise<void>
  /** Removes a machine from its monitor. */
  forget(row: InstanceRow, address: string): Promise<void>
  close(): Promise<void>
}

/** Enough to write all dirty pages. */
const maxCheckpointMs = 300_000

function missingGroup(): never {
  throw new Failure('conflict', 'The group of the machine does not exist yet, or no longer.')
}

export function openClusters({ database, cellVault }: Platform): Clusters {
  const monitors = new Map<string, { readonly at: string; readonly monitor: Monitor }>()

  async function addressOf(cluster: string): Promise<MonitorAddress> {
    const [group, monitor] = [await groups.findById(database, cluster), await instances.findPlaced(database, cluster)]
    if (!group || !monitor) missingGroup()
    const vault = await cellVault.of(group.tenant)
    return { address: monitor.address, port: monitor.port, password: openGroup(vault, cluster, group.secrets).monitor }
  }

  /** Reconnects if the monitor has moved. */
  async function monitorOf(cluster: string): Promise<Monitor> {
    const at = await addressOf(cluster)
    const key = `${at.address}:${at.port}`
    const existing = monitors.get(cluster)
    if (existing?.at === key) return existing.monitor
    await existing?.monitor.close()
    const monitor = new Monitor(at)
    monitors.set(cluster, { at: key, monitor })
    return monitor
  }

  /**
   * Synchronous commits take effect when the checkpointer has reloaded its settings, which a busy one, as after a promotion, does
   * late. Until then the primary acknowledges writes alone, and a failover would lose those in flight. A checkpoint forces the
   * reload.
   */
  async function awaitReplication(cluster: string, { host, port }: Member): Promise<void> {
    const { tenant, secrets } = (await groups.findById(database, cluster)) ?? missingGroup()
    const { admin } = openGroup(await cellVault.of(tenant), cluster, secrets)
    const login = { host, port, user: adminRole, password: admin, database: mainDatabase }
    const client = await connect(login, maxCheckpointMs).catch(() => undefined) // a dead primary fails over as well
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
