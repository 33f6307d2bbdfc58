import { randomUUID } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { every, type Platform, privateFile } from '@icosa/kernel'
import type { ImageSku } from '../api/contract.ts'
import type { Clusters } from '../clusters/clusters.ts'
import { type Listening, openListening } from '../listeners/listening.ts'
import { listenAddressOf, type MachinesSettings } from '../settings.ts'
import { monitorSize, sizes } from '../sizes.ts'
import { desiredKind } from './desired.ts'
import { foldersOf, prepareFolder } from './folders.ts'
import { Instance, type InstanceHost } from './instance.ts'
import { findPrograms, type Programs } from './programs.ts'
import * as store from './store.ts'

/** The machines of a node. */
export interface Hosting {
  /** Shuts down its machines gracefully. */
  close(): Promise<void>
}

const tickMs = 500
const renewMs = 3_000

export async function openHosting(
  settings: MachinesSettings,
  platform: Platform,
  clusters: Clusters,
): Promise<Hosting> {
  const { database, log } = platform
  const { folder, address, memoryBytes, diskBytes, ports } = settings
  const onError = (error: unknown) => log.error({ err: error }, 'machines of this node')
  const holder = randomUUID()
  const instances = new Map<string, Instance>()
  const listening: Listening = openListening(platform, clusters, listenAddressOf(settings), onError)
  let programs: Programs | undefined
  let host: store.HostRow | undefined
  let hasLease = false
  let leaseRenewedAt = 0

  /** Problems are checked again at each renewal, since an operator may have solved them. */
  async function describe(): Promise<store.HostRow> {
    let problem: string | null = null
    try {
      await mkdir(folder, { recursive: true, mode: 0o711 }).catch(() => {})
      programs = await findPrograms(settings)
      await prepareFolder(folder, programs)
    } catch (error) {
      problem = (error as Error).message
    }
    const limits = { memoryBytes, diskBytes, firstPort: ports.first, lastPort: ports.last }
    return { id: host?.id ?? (await identity(folder)), address, ...limits, problem }
  }

  async function renew(): Promise<void> {
    host = await describe()
    const startedAt = performance.now()
    hasLease = await store.renewLease(database, host, holder)
    if (hasLease) leaseRenewedAt = startedAt
  }

  const hostOf = (row: store.InstanceRow, programs: Programs): InstanceHost => ({
    programs,
    address,
    listen: listenAddressOf(settings),
    onError,
    folders: foldersOf(folder, row.id),
    memoryBytes: (row.kind === 'monitor' ? monitorSize : sizes[row.size as ImageSku]).memoryBytes,
    kindOf: (current) => desiredKind(current, platform, clusters),
    report: (id, report) => store.report(database, id, report).catch(onError),
    leaveGroup: (current) => clusters.forget(current, address).catch(onError),
    onRemoved: (current) => database.transaction((db) => store.remove(db, current.id), current.tenant),
  })

  async function reconcile(): Promise<void> {
    if (!host || !hasLease || !programs || host.problem !== null) return
    const rows = await store.onHost(database, host.id)
    for (const row of rows) {
      const instance = instances.get(row.id)
      if (instance) instance.update(row)
      else instances.set(row.id, new Instance(row, hostOf(row, programs)))
    }
    const ids = new Set(rows.map(({ id }) => id))
    for (const [id, instance] of instances) {
      if (ids.has(id)) continue
      instances.delete(id)
      await instance.close(true)
    }
    await listening.reconcile(host)
  }

  await renew().catch(onError)
  const stops = [every(tickMs, reconcile, onError), every(renewMs, renew, onError)]

  return {
    async close() {
      for (const stop of stops) stop()
      await listening.close()
      // If another node has taken over the folder, its machines must keep running.
      const isOwner = performance.now() - leaseRenewedAt < 9_000
      await Promise.all([...instances.values()].map((instance) => instance.close(!isOwner)))
      if (host) await store.release(database, host.id, holder).catch(() => {})
    },
  }
}

/** The persistent id of a folder. */
async function identity(folder: string): Promise<string> {
  const file = join(folder, 'id')
  try {
    return (await readFile(file, 'utf8')).trim()
  } catch {
    const id = randomUUID()
    await writeFile(file, id, { flag: 'wx', ...privateFile }).catch(() => {})
    return (await readFile(file, 'utf8').catch(() => id)).trim()
  }
}
