import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import {
  type Blobs,
  blobPrefix,
  type CellVault,
  type Database,
  type Db,
  Failure,
  isForOperators,
  type SealedColumn,
  schemaOf,
} from '@icosa/kernel'
import type { NumberedColumns } from '@icosa/module'
import { childrenFirst, shared } from '../state/store.ts'
import type { ServiceTenancy } from './delete.ts'
import { blobsFile, type ListedBlob, type Manifest, manifestFile, rowsFile } from './export.ts'
import { type Fields, withFields } from './fields.ts'
import * as store from './import-store.ts'
import { fromExport, type Reseal, resealed } from './secrets.ts'
import { listTenants, rowsLeft, tenantTables } from './store.ts'

export interface ImportTenant {
  readonly database: Database
  readonly blobs: Blobs
  readonly services: readonly ServiceTenancy[]
  /** Services whose rows and blobs are left out. */
  readonly without: readonly string[]
  readonly sealed: readonly SealedColumn[]
  /** Opens the secrets of the export, which are sealed under keys of this installation. */
  readonly exportKey: string
  readonly vault: CellVault
  /** Reads a file of the export. */
  readonly read: (path: string) => AsyncIterable<Uint8Array>
}

export interface TenantImported {
  readonly tenant: string
  readonly rows: number
  readonly blobs: number
}

const queueNumbers: readonly NumberedColumns[] = [
  { sequence: 'icosa.jobs_id_seq', columns: { 'icosa.jobs': 'id' } },
  { sequence: 'icosa.timers_id_seq', columns: { 'icosa.timers': 'id' } },
]

/** Written by triggers and counters here, or valid with the keys of the other installation only. */
const notImported: readonly string[] = [
  ...[
    'icosa.names',
    'icosa.schedules',
    'icosa.tenant_keys',
    'icosa.name_changes',
    'icosa.event_subscriptions',
    'platform.audit',
    'platform.audit_heads',
    'platform.blobs',
    'platform.blob_bytes',
  ],
]

/** No worker of this installation runs a job yet, and no transactions of other cells precede its own. */
const changed: Readonly<Record<string, Fields>> = {
  'icosa.jobs': Object.entries({ is_running: false, started_at: null, renewed_at: null }),
  'icosa.tenants': [['earlier_transactions', 0]],
}

/** A transaction before all others: those of the other installation are numbered differently. */
const oldestTransaction = '3'

/** Columns of tables with the rows of several services that name the service. */
const serviceColumns: Readonly<Record<string, string>> = {
  ...Object.fromEntries(shared.map(({ table, service }) => [table, service])),
  'platform.limits': 'service',
}

const pageBytes = 2 ** 22

/**
 * Imports what `exportTenant` has written, into an installation of the same version: blobs, then all rows in one transaction.
 * May be repeated after a failure.
 */
export async function importTenant(options: ImportTenant): Promise<TenantImported> {
  const { database, blobs, read, without } = options
  const manifest = await manifestOf(read)
  await refuseExisting(database, manifest.tenant)
  await refuseOtherVersion(database, manifest, without)
  let count = 0
  for await (const line of linesOf(read(blobsFile))) {
    const { key, contentType }: ListedBlob = JSON.parse(line)
    const service = key.slice(0, key.indexOf('/'))
    if (without.includes(service)) continue
    if (!key.startsWith(blobPrefix(service, manifest.tenant))) throw foreign(`The blob ${key}`)
    await blobs.put(key, read(`blobs/${key}`), { contentType })
    count++
  }
  const rows = await database.transaction((db) => importRows(db, manifest, options)).catch(asConflict)
  return { tenant: manifest.tenant, rows, blobs: count }
}

/** What must be unique in an installation exists here already. */
function asConflict(error: Error & { code?: string; detail?: string }): never {
  if (error.code !== '23505') throw error
  const advice = 'Delete or rename it here or there, or leave its service out with --without.'
  throw new Failure('conflict', `${(error.detail ?? error.message).replace(/\.?$/, '.')} ${advice}`, { cause: error })
}

async function manifestOf(read: ImportTenant['read']): Promise<Manifest> {
  let text = ''
  try {
    for await (const chunk of read(manifestFile)) text += Buffer.from(chunk)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    throw new Failure('invalid', `There is no ${manifestFile}: this is not an export, or it was not completed.`)
  }
  const manifest: Manifest = JSON.parse(text)
  if (manifest.format !== 1) throw new Failure('invalid', 'This export was written by a newer version.')
  if (!manifest.hasSecrets)
    throw new Failure('invalid', 'This export has no secrets: export the tenant again with --with-secrets.')
  return manifest
}

async function refuseExisting(database: Database, tenant: string): Promise<void> {
  if ((await listTenants(database, tenant)).length > 0 || (await rowsLeft(database, tenant)).length > 0)
    throw new Failure(
      'conflict',
      `There is a tenant '${tenant}' here already: delete it, or import into another installation.`,
    )
}

async function refuseOtherVersion(
  database: Database,
  { migrations }: Manifest,
  without: readonly string[],
): Promise<void> {
  const own = await store.newestMigrations(database)
  const different = Object.keys(migrations).filter(
    (owner) => !without.includes(owner) && migrations[owner] !== own[owner],
  )
  if (different.length > 0)
    throw new Failure(
      'invalid',
      `The export was made with another version of ${different.join(', ')}. Import it into an installation of that version, and upgrade then.`,
    )
}

async function importRows(db: Db, { tenant, rows }: Manifest, options: ImportTenant): Promise<number> {
  const { read, without, services, sealed } = options
  const reseal = fromExport(await options.vault.of(tenant, db), options.exportKey)
  const skipped = [...notImported, ...services.flatMap(({ notImported: own = [] }) => own)]
  const schemas = without.map(schemaOf)
  const tables = Object.keys(rows).filter(
    (table) => !skipped.includes(table) && !schemas.includes(table.slice(0, table.indexOf('.'))),
  )
  const known = await tenantTables(db)
  for (const table of tables) if (!known.some((one) => one.table === table)) throw foreign(`The table ${table}`)
  const renumber = renumbering(db, [...queueNumbers, ...services.flatMap(({ numbered = [] }) => numbered)])
  let count = 0
  await db.script('set constraints all deferred')
  const ordered = await childrenFirst(
    db,
    tables.map((name) => ({ name })),
  )
  for (const { name: table } of ordered.toReversed()) {
    const columns = await store.columnsOf(db, table)
    const adapt = adapting({ table, columns, tenant, sealed, reseal })
    for await (const page of pagesOf(linesOf(read(rowsFile(table))))) {
      const lines = page.filter((line) => !isOf(without, table, line)).map(adapt)
      count += await store.insertRows(db, table, columns, await renumber(table, lines))
    }
    await store.continueSequences(db, table, tenant)
  }
  for (const { service, imported } of services) if (!without.includes(service)) await imported?.(db, tenant)
  return count
}

/** Whether a row belongs to one of these services. */
function isOf(services: readonly string[], table: string, line: string): boolean {
  const column = serviceColumns[table]
  return services.length > 0 && column !== undefined && services.includes(JSON.parse(line)[column])
}

interface Adapting extends Pick<ImportTenant, 'sealed'> {
  readonly table: string
  readonly columns: readonly store.Column[]
  readonly tenant: string
  readonly reseal: Reseal
}

function adapting({ table, columns, tenant, sealed, reseal }: Adapting): (line: string) => string {
  const secrets = sealed.filter((column) => column.table === table)
  const transactions = columns
    .filter(({ type }) => type === 'xid8')
    .map(({ name }) => [name, oldestTransaction] as const)
  const fixed = [...(changed[table] ?? []), ...transactions]
  return (line) => {
    checkOwner(table, line, tenant)
    return withFields(resealed(line, secrets, reseal), fixed)
  }
}

/** Refuses what an export cannot contain, and a person with access to its files could have added. */
function checkOwner(table: string, line: string, tenant: string): void {
  const row = JSON.parse(line)
  const owners = table === 'icosa.tenants' ? [row.id] : [row.tenant, row.payload?.tenant ?? row.tenant]
  if (owners.some((owner) => owner !== tenant)) throw foreign(`A row of ${table}`)
  if (table === 'icosa.credentials' && !row.revoked_at && row.permissions.some(isForOperators))
    throw new Failure('invalid', `The key '${row.name}' has permissions of operators: revoke it and export again.`)
}

const foreign = (what: string) => new Failure('invalid', `${what} is not the tenant's: this export has been changed.`)

/** Gives each number of the other installation one of this installation, the same one wherever it appears. */
function renumbering(db: Db, groups: readonly NumberedColumns[]) {
  const numbers = new Map(groups.map(({ sequence }) => [sequence, new Map<number, string>()]))
  return async (table: string, lines: readonly string[]): Promise<readonly string[]> => {
    let renumbered = lines
    for (const { sequence, columns } of groups) {
      const column = columns[table]
      const known = numbers.get(sequence)
      if (column === undefined || known === undefined) continue
      const old = renumbered.map((line) => JSON.parse(line)[column] as number)
      const added = [...new Set(old)].filter((number) => !known.has(number))
      const taken = await store.takeNumbers(db, sequence, added.length)
      for (const [at, number] of added.entries()) known.set(number, taken[at] as string)
      renumbered = renumbered.map((line, at) => withFields(line, [[column, known.get(old[at] as number)]]))
    }
    return renumbered
  }
}

const linesOf = (content: AsyncIterable<Uint8Array>): AsyncIterable<string> =>
  createInterface({ input: Readable.from(content), crlfDelay: Number.POSITIVE_INFINITY })

async function* pagesOf(lines: AsyncIterable<string>): AsyncGenerator<string[]> {
  let [page, bytes]: [string[], number] = [[], 0]
  for await (const line of lines) {
    page.push(line)
    bytes += line.length
    if (bytes < pageBytes) continue
    yield page
    ;[page, bytes] = [[], 0]
  }
  if (page.length > 0) yield page
}
