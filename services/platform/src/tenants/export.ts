import {
  type BlobInfo,
  type Blobs,
  blobEntries,
  blobPrefix,
  type Database,
  type Db,
  type SealedColumn,
  tenantKeys,
} from '@icosa/kernel'
import * as store from './export-store.ts'
import { newestMigrations } from './import-store.ts'
import { type Reseal, resealed } from './secrets.ts'
import { tenantTables } from './store.ts'

export interface ExportTenant {
  readonly database: Database
  readonly blobs: Blobs
  readonly services: readonly string[]
  readonly sealed: readonly SealedColumn[]
  /** Seals a secret under another key. Without it, sealed columns are left out: their ciphertext is useless elsewhere. */
  readonly reseal?: Reseal | undefined
  /** Writes a file of the export; the path is relative. */
  readonly write: (path: string, content: AsyncIterable<string | Uint8Array>) => Promise<void>
}

export interface TenantExported {
  readonly rows: number
  readonly blobs: number
}

/** Describes an export, and is written last: an export without it is incomplete. */
export interface Manifest {
  readonly format: 1
  readonly tenant: string
  /** Name of the newest migration, by owner. */
  readonly migrations: Readonly<Record<string, string>>
  /** Rows by table. */
  readonly rows: Readonly<Record<string, number>>
  readonly blobs: number
  /** Whether secrets are in it, sealed under a key of their own. */
  readonly hasSecrets: boolean
}

export const manifestFile = 'tenant.json'
export const rowsFile = (table: string) => `rows/${table}.jsonl`
/** Key and content type of each blob. */
export const blobsFile = 'blobs.jsonl'
export type ListedBlob = Pick<BlobInfo, 'key' | 'contentType'>

/** Exports a snapshot of the rows of a tenant as JSON Lines, one file per table, and its blobs. */
export async function exportTenant(tenant: string, options: ExportTenant): Promise<TenantExported> {
  const { database, blobs, services, sealed, reseal, write } = options
  const rows: Record<string, number> = {}
  const migrations = await database.transaction(async (db) => {
    await store.asOfNow(db)
    for (const table of await tenantTables(db)) {
      if (table.table === tenantKeys.table) continue
      const secrets = sealed.filter((column) => column.table === table.table)
      const without = reseal ? [] : secrets.map(({ column }) => column)
      if (await store.open(db, table, tenant, without))
        await write(rowsFile(table.table), lines(db, table.table, secrets))
      await store.close(db)
    }
    return newestMigrations(db)
  })
  async function* lines(db: Db, table: string, secrets: readonly SealedColumn[]) {
    for await (const line of linesOf(db)) {
      rows[table] = (rows[table] ?? 0) + 1
      yield `${reseal ? resealed(line, secrets, reseal) : line}\n`
    }
  }
  let count = 0
  async function* written(): AsyncGenerator<string> {
    for (const service of services)
      for await (const { key } of blobEntries(blobs, blobPrefix(service, tenant))) {
        const { body, info } = await blobs.get(key)
        await write(`blobs/${key}`, body)
        count++
        yield `${JSON.stringify({ key, contentType: info.contentType } satisfies ListedBlob)}\n`
      }
  }
  await write(blobsFile, written())
  async function* manifest(): AsyncGenerator<string> {
    yield `${JSON.stringify({ format: 1, tenant, migrations, rows, blobs: count, hasSecrets: reseal !== undefined } satisfies Manifest, null, 2)}\n`
  }
  await write(manifestFile, manifest())
  return { rows: Object.values(rows).reduce((sum, number) => sum + number, 0), blobs: count }
}

async function* linesOf(db: Db): AsyncGenerator<string> {
  for (let page = await store.next(db); page.length > 0; page = await store.next(db)) yield* page
}
