import { every, type Platform } from '@icosa/kernel'
import type { Clusters } from '../clusters/clusters.ts'
import { isPrimary, type Member } from '../clusters/monitor.ts'
import type { HostRow } from '../hosting/store.ts'
import { type Follower, openProbe, openProxy } from './proxy.ts'
import * as store from './store.ts'

/** The listeners on a host: every one of the cell is open on each of them. */
export interface Listening {
  reconcile(host: HostRow): Promise<void>
  close(): Promise<void>
}

interface Open {
  row: store.OpenListener
  readonly proxy: Follower
  probe?: { close(): Promise<void> } | undefined
}

/** Between two questions to a monitor. */
const lookMs = 250

export function openListening(
  { database }: Pick<Platform, 'database'>,
  clusters: Clusters,
  bindTo: string,
  onError: (error: unknown) => void,
): Listening {
  const open = new Map<string, Open>()
  let address = ''

  async function follow(one: Open): Promise<void> {
    const members = await clusters.members(one.row.cluster)
    const primary = members.find((member) => isPrimary(member) && isListed(one.row, member))
    one.proxy.follow(primary)
    const isHere = primary !== undefined && primary.host === address
    if (isHere && one.row.probePort !== null && !one.probe) one.probe = await openProbe(one.row.probePort, bindTo)
    if (!isHere && one.probe) {
      const { probe } = one
      one.probe = undefined
      await probe.close()
    }
  }

  // A monitor that is away changes nothing: the primary stays the primary.
  const stop = every(lookMs, () => Promise.allSettled([...open.values()].map(follow)), onError)

  async function shut(id: string): Promise<void> {
    const one = open.get(id)
    open.delete(id)
    await one?.proxy.close()
    await one?.probe?.close()
  }

  return {
    async reconcile(host) {
      address = host.address
      const rows = await store.allListeners(database)
      const wanted = new Map(rows.map((row) => [row.id, row]))
      for (const [id, one] of open) {
        const row = wanted.get(id)
        if (row && row.port === one.row.port && row.probePort === one.row.probePort) one.row = row
        else await shut(id)
      }
      for (const row of rows) {
        if (open.has(row.id)) continue
        try {
          open.set(row.id, { row, proxy: await openProxy(row.port, bindTo, onError) })
          await store.opened(database, row.id, host.id, null)
        } catch (error) {
          const { code, message } = error as NodeJS.ErrnoException
          const taken = `Port ${row.port} of ${address} is taken by another program: end it, or delete the listener and choose another port.`
          await store.opened(database, row.id, host.id, code === 'EADDRINUSE' ? taken : message)
        }
      }
    },
    async close() {
      stop()
      for (const id of [...open.keys()]) await shut(id)
    },
  }
}

const isListed = ({ members }: store.OpenListener, { host, port }: Member) =>
  members === null || members.some((one) => one.host === host && one.port === port)
