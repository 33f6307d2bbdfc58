import { every, type Platform } from '@icosa/kernel'
import type { Clusters } from '../clusters/clusters.ts'
import { isPrimary, type Member } from '../clusters/monitor.ts'
import type { HostRow } from '../hosting/store.ts'
import { type Follower, openProbe, openProxy } from './proxy.ts'
import * as store from './store.ts'

/** The open listeners of a node. Every node opens all listeners of the cell. */
export interface Listening {
  reconcile(host: HostRow): Promise<void>
  close(): Promise<void>
}

interface ActiveListener {
  row: store.OpenListener
  readonly proxy: Follower
  probe?: { close(): Promise<void> } | undefined
}

/** Polling interval of monitors. */
const pollMs = 250

export function openListening(
  { database }: Pick<Platform, 'database'>,
  clusters: Clusters,
  bindTo: string,
  onError: (error: unknown) => void,
): Listening {
  const active = new Map<string, ActiveListener>()
  let address = ''

  async function follow(listener: ActiveListener): Promise<void> {
    const members = await clusters.members(listener.row.cluster)
    const primary = members.find((member) => isPrimary(member) && isListed(listener.row, member))
    listener.proxy.follow(primary)
    const isHere = primary !== undefined && primary.host === address
    if (isHere && listener.row.probePort !== null && !listener.probe)
      listener.probe = await openProbe(listener.row.probePort, bindTo)
    if (!isHere && listener.probe) {
      const { probe } = listener
      listener.probe = undefined
      await probe.close()
    }
  }

  // An unavailable monitor changes nothing: the primary stays the primary.
  const stop = every(pollMs, () => Promise.allSettled([...active.values()].map(follow)), onError)

  async function shut(id: string): Promise<void> {
    const listener = active.get(id)
    active.delete(id)
    await listener?.proxy.close()
    await listener?.probe?.close()
  }

  return {
    async reconcile(host) {
      address = host.address
      const rows = await store.allListeners(database)
      const rowById = new Map(rows.map((row) => [row.id, row]))
      for (const [id, listener] of active) {
        const row = rowById.get(id)
        if (row && row.port === listener.row.port && row.probePort === listener.row.probePort) listener.row = row
        else await shut(id)
      }
      for (const row of rows) {
        if (active.has(row.id)) continue
        try {
          active.set(row.id, { row, proxy: await openProxy(row.port, bindTo, onError) })
          await store.setOpening(database, row.id, host.id, null)
        } catch (error) {
          const { code, message } = error as NodeJS.ErrnoException
          const inUse = `Port ${row.port} of ${address} is in use by another program: end it, or delete the listener and choose another port.`
          await store.setOpening(database, row.id, host.id, code === 'EADDRINUSE' ? inUse : message)
        }
      }
    },
    async close() {
      stop()
      for (const id of [...active.keys()]) await shut(id)
    },
  }
}

const isListed = ({ members }: store.OpenListener, { host, port }: Member) =>
  members === null || members.some((member) => member.host === host && member.port === port)
