import { createHash } from 'node:crypto'
import { type MoveEnds, type Moves, movesBy, semaphore } from '@icosa/kernel'
import { type DatabaseRow, ofTenants } from '../databases/store.ts'
import { versionOf } from '../host/dump-store.ts'
import { removeAll } from '../host/removal.ts'
import { measure, momentAfter } from '../host/store.ts'
import type { SqlSettings } from '../settings.ts'
import { copyDatabase, type End, hostOf, openDatabase } from './copy.ts'
import * as store from './store.ts'

/** A dump behind the fence: larger databases would keep their tenant out for too long. */
const maxCopiedBytes = 2 ** 30
/** Each a pg_dump and a pg_restore. */
const concurrency = 2

const textFor = (tenant: string) => `icosa moving ${createHash('sha256').update(tenant).digest('hex').slice(0, 32)}`

/** Databases are dumped and restored while they are closed to their clients. */
export const movesOf = (settings: SqlSettings, maxBytes = maxCopiedBytes): Moves =>
  movesBy<SqlSettings>({
    place: settings,

    async obstacles(ends, tenant) {
      const { from } = ends
      const [rows, continuous] = await Promise.all([
        ofTenants(from.database, [tenant]),
        store.continuousBackups(from.database, tenant),
      ])
      return [
        ...continuous.map(
          (name) =>
            `The continuous backup of the SQL database '${name}' is in the archive of the SQL host of ${from.cell}: delete its recovery point.`,
        ),
        ...(rows.length === 0 ? [] : await hostObstacles(ends, rows, maxBytes)),
      ]
    },

    async finish(ends, tenant) {
      const rows = await ofTenants(ends.from.database, [tenant])
      if (rows.length === 0) return undefined
      const inTurn = semaphore(concurrency)
      const copies = await Promise.all(rows.map((row) => inTurn(() => copyDatabase(ends, row, textFor(tenant)))))
      const sum = (key: 'bytes' | 'tables') => copies.reduce((total, copy) => total + copy[key], 0)
      return `${rows.length} SQL databases with ${sum('tables')} tables of ${Math.ceil(sum('bytes') / 2 ** 20)} MiB are equal`
    },

    async open(at, tenant) {
      const rows = await ofTenants(at.database, [tenant])
      if (rows.length === 0) return
      const vault = await at.vault()
      for (const row of rows) await openDatabase(at, row, vault)
    },

    async forget({ at, other }, tenant) {
      if (at.place.adminUrl === undefined || at.place.adminUrl === other.place.adminUrl) return
      const host = hostOf(at)
      const rows = await ofTenants(at.database, [tenant])
      const left = await host.alone([], (admin) => store.marked(admin, textFor(tenant)))
      for (const name of new Set([...left, ...rows.map(({ physical }) => physical)]))
        await host.alone([name], (admin) => removeAll(host, admin, name))
    },
  })

async function hostObstacles(
  { from, to }: MoveEnds<SqlSettings>,
  rows: readonly DatabaseRow[],
  maxBytes: number,
): Promise<string[]> {
  const unknown = [from, to].find(({ place }) => place.adminUrl === undefined)
  if (unknown)
    return [`The SQL host of ${unknown.cell} is unknown: set ICOSA_SQL_URL, or add --source-env and --target-env.`]
  const [source, target] = await Promise.all([describe(from, rows), describe(to, rows)])
  if (source.system === target.system)
    return [
      `${from.cell} and ${to.cell} have the same SQL host, and each would delete databases of the other: give each a host of its own.`,
    ]
  return [
    // There is a way back, and an older version does not always load a dump.
    ...(source.major === target.major
      ? []
      : [
          `The SQL host of ${to.cell} has PostgreSQL ${target.major}, and that of ${from.cell} ${source.major}: upgrade the older one first.`,
        ]),
    ...rows.flatMap(({ databaseName, physical, status }) => [
      ...(status === 'Online' || status === 'Paused'
        ? []
        : [`The SQL database '${databaseName}' is ${status}: wait until it is Online, or delete it.`]),
      ...((source.sizes.get(physical) ?? 0) > maxBytes
        ? [
            `The SQL database '${databaseName}' has ${Math.ceil((source.sizes.get(physical) ?? 0) / 2 ** 20)} MiB, more than the ${maxBytes / 2 ** 20} that are copied while it is closed: move its rows yourself, and delete it.`,
          ]
        : []),
    ]),
  ]
}

async function describe(end: End, rows: readonly DatabaseRow[]) {
  return hostOf(end).alone([], async (admin) => {
    const { system } = await momentAfter(admin)
    const { major } = await versionOf(admin)
    const sizes = await measure(
      admin,
      rows.map(({ physical }) => physical),
    )
    return { system, major, sizes: new Map([...sizes].map(([name, { bytes }]) => [name, bytes])) }
  })
}
