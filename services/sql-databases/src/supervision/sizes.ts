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

/** Corrects the SQL host where it differs from the rows. */
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
  const poolMembers = siblings.filter((row) => pools.has(poolKeyOf(row) ?? ''))
  const { capacity, limits, measurements } = await host.briefly([], async (admin) => ({
    capacity: await onHost.capacity(admin),
    limits: new Map((await onHost.currentLimits(admin, names)).map((current) => [current.name, current])),
    measurements: await measureEach(admin, [...new Set([...names, ...poolMembers.map(({ physical }) => physical)])]),
  }))
  const full = fullPools(poolMembers, ({ physical }) => bytesOf(measurements.get(physical)))

  await forEach(
    context,
    rows,
    ({ physical }) => physical,
    async (row) => {
      const share = sharesOf(byTenant.get(row.tenant) ?? [row], capacity, settings).get(row.physical)
      const current = limits.get(row.physical)
      if (share && current && !isApplied(share, current)) await limit(host, context, row, share)
      const size = measurements.get(row.physical)
      if (size instanceof Error) throw size
      if (size && !isCorrect(row, size, full)) await correct(host, context, row, full)
    },
  )
}

/** Measures all in one statement; one by one if that fails, to find out which cannot be measured. */
async function measureEach(admin: Session, names: readonly string[]): Promise<Map<string, onHost.Measurement | Error>> {
  try {
    return await onHost.measure(admin, names)
  } catch {
    const measurements = new Map<string, onHost.Measurement | Error>()
    for (const name of names) {
      const result = await onHost.measure(admin, [name]).catch((error: Error) => error)
      const measurement = result instanceof Error ? result : result.get(name)
      if (measurement) measurements.set(name, measurement)
    }
    return measurements
  }
}

/** 0 if it cannot be measured, which is reported for that database itself. */
const bytesOf = (measurement: onHost.Measurement | Error | undefined) =>
  !measurement || measurement instanceof Error ? 0 : measurement.bytes

/** Keys of full pools. */
type FullPools = ReadonlySet<string>

const storageOf = (row: DatabaseRow, { bytes }: onHost.Measurement, full: FullPools) =>
  storageFor(bytes, limitsOf(row, poolOf(row)).maxSizeBytes, row, full.has(poolKeyOf(row) ?? ''))

const isCorrect = (row: DatabaseRow, measurement: onHost.Measurement, full: FullPools) =>
  storageOf(row, measurement, full).storage === row.storage &&
  measurement.isOpen === (row.status === 'Online') &&
  row.hostCollation !== null &&
  row.host === measurement.system

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
    const measurement = (await onHost.measure(admin, [row.physical])).get(row.physical)
    // An operation may have started, or have finished, while we waited for the lock.
    if (!measurement || (await findWork(db, row))?.status !== row.status || isCorrect(row, measurement, full)) return
    const storage = storageOf(row, measurement, full)
    await setState(admin, row, storage)
    await transaction((inside) => store.setStorage(inside, row, storage, measurement))
  })
}

async function setState(admin: Session, row: DatabaseRow, storage: Storage): Promise<void> {
  const isOnline = row.status === 'Online'
  await onHost.setOpen(admin, row.physical, isOnline)
  if (!isOnline) await endSessionsIn(admin, row.physical)
  await applyStorage(admin, row.physical, storage)
}
