import type { Platform } from '@icosa/kernel'
import type { Clusters } from '../clusters/clusters.ts'
import { isPrimary } from '../clusters/monitor.ts'
import * as groups from '../groups/store.ts'
import { isLocal, workloadOf } from '../machines/choices.ts'
import * as machines from '../machines/store.ts'
import { openGroup, openMachine } from '../secrets.ts'
import { sizes } from '../sizes.ts'
import type { Kind } from './kinds.ts'
import * as store from './store.ts'

/** The desired kind and configuration of an instance, from its rows. */
export async function desiredKind(
  { id, kind, cluster }: store.InstanceRow,
  { database: db, cellVault }: Pick<Platform, 'database' | 'cellVault'>,
  clusters: Clusters,
): Promise<Kind> {
  if (kind === 'monitor') {
    const group = (await groups.findById(db, id)) ?? deleted()
    return { kind, password: openGroup(await cellVault.of(group.tenant), id, group.secrets).monitor }
  }
  const row = (await machines.findById(db, id)) ?? deleted()
  const vault = await cellVault.of(row.tenant)
  const secrets = openMachine(vault, id, row.secrets)
  const shared = {
    size: sizes[row.sku],
    workload: workloadOf(row.settings),
    isLocal: isLocal(row.settings),
    login: secrets.login,
  }
  if (cluster === null) return { kind: 'machine', ...shared, password: secrets.admin }
  const group = (await groups.findById(db, cluster)) ?? deleted()
  const { admin, replication } = openGroup(vault, cluster, group.secrets)
  const [first] = await store.membersOf(db, cluster)
  const monitor = await clusters.addressOf(cluster)
  const hasPrimary = async () => (await clusters.members(cluster)).some(isPrimary)
  return { kind: 'member', ...shared, password: admin, replication, monitor, isFirst: first?.id === id, hasPrimary }
}

function deleted(): never {
  throw new Error('It is being deleted.')
}
