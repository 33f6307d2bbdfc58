import type { JobContext } from '@icosa/kernel'
import { limitsOf } from '../configuration/desired.ts'
import { type DatabaseRow, findWork, ofTenants } from '../databases/store.ts'
import type { Session, SqlHost } from '../host/host.ts'
import { endSessionsIn } from '../host/sessions-store.ts'
import { applyStorage, type Storage, storageFor } from '../host/storage.ts'
import * as onHost from '../host/store.ts'
import { poolOf } from '../pools/limits.ts'
import { fullPools, poolKeyOf } from '../pools/space.ts'
import { applyShare, isApplied, type Share, sharesOf } from '../provisioning/shares.ts'
import type { SqlSettings } from '../settings.ts'
import { forEach } from './each.ts'
import * as store from './store.ts'

/** Makes the SQL host what the rows say, where it is not. */
export async function correctAll(
  host: SqlHost,
  context: JobContext,
  rows: readonly DatabaseRow[],
  settings: SqlSettings,
): Promise<void> {
  const names = rows.map(({ physical }) => physical)
  const siblings = await ofTenants(context.db, [...new Set(rows.map(({ tenant }) => tenant))])
  const byTenant = Map.groupBy(siblings, ({ tenant }) => tenant)
  const pools = new Set(rows.flatMap((row) => poolKeyOf(row) ?? []))
  const mates = siblings.filter((row) => pools.has(poolKeyOf(row) ?? ''))
  const { capacity, limits, measured } = await host.briefly([], async (admin) => ({
    capacity: await onHost.capacity(admin),
    limits: new Map((await onHost.limitsNow(admin, names)).map((now) => [now.name, now])),
    measured: await measureEach(admin, [...new Set([...names, ...mates.map(({ physical }) => physical)])]),
  }))
  const full = fullPools(mates, ({ physical }) => bytesOf(measured.get(physical)))

  await forEach(
    context,
    rows,
    ({ physical }) => physical,
    async (row) => {
      const share = sharesOf(byTenant.get(row.tenant) ?? [row], capacity, settings).get(row.physical)
      const now = limits.get(row.physical)
      if (share && now && !isApplied(share, now)) await limit(host, context, row, share)
      const size = measured.get(row.physical)
      if (size instanceof Error) throw size
      if (size && !isWanted(row, size, full)) await correct(host, context, row, full)
    },
  )
}

/** All at once; one by one if that fails, so that it is known which of them cannot be measured. */
async function measureEach(admin: Session, names: readonly string[]): Promise<Map<string, onHost.Measured | Error>> {
  try {
    return await onHost.measure(admin, names)
  } catch {
    const found = new Map<string, onHost.Measured | Error>()
    for (const name of names) {
      const one = await onHost.measure(admin, [name]).catch((error: Error) => error)
      const measured = one instanceof Error ? one : one.get(name)
      if (measured) found.set(name, measured)
    }
    return found
  }
}

/** One that cannot be measured is said to be so by its own turn. */
const bytesOf = (measured: onHost.Measured | Error | undefined) =>
  !measured || measured instanceof Error ? 0 : measured.bytes

/** Pools that are full, by their keys. */
type FullPools = ReadonlySet<string>

const storageOf = (row: DatabaseRow, { bytes }: onHost.Measured, full: FullPools) =>
  storageFor(bytes, limitsOf(row, poolOf(row)).maxSizeBytes, row, full.has(poolKeyOf(row) ?? ''))

const isWanted = (row: DatabaseRow, now: onHost.Measured, full: FullPools) =>
  storageOf(row, now, full).storage === row.storage &&
  now.isOpen === (row.status === 'Online') &&
  row.hostCollation !== null

async function limit(host: SqlHost, { db }: JobContext, row: DatabaseRow, share: Share): Promise<void> {
  await host.briefly([row.physical], async (admin) => {
    if (await findWork(db, row)) await applyShare(admin, row.physical, share)
  })
}

async function correct(
  host: SqlHost,
  { db, transaction }: JobContext,
  row: DatabaseRow,
  full: FullPools,
): Promise<void> {
  await host.briefly([row.physical], async (admin) => {
    const now = (await onHost.measure(admin, [row.physical])).get(row.physical)
    // Somebody may have begun to work on it, or have finished, while we waited for the lock.
    if (!now || (await findWork(db, row))?.status !== row.status || isWanted(row, now, full)) return
    const storage = storageOf(row, now, full)
    await setState(admin, row, storage)
    await transaction((inside) => store.setStorage(inside, row, storage, now.collation))
  })
}

async function setState(admin: Session, row: DatabaseRow, storage: Storage): Promise<void> {
  const isOnline = row.status === 'Online'
  await onHost.setOpen(admin, row.physical, isOnline)
  if (!isOnline) await endSessionsIn(admin, row.physical)
  await applyStorage(admin, row.physical, storage)
}
