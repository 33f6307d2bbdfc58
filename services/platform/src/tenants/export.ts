import { type Blobs, blobPrefix, type Database, type Db, type SealedColumn } from '@icosa/kernel'
import * as store from './export-store.ts'
import { tenantTables } from './store.ts'

export interface ExportTenant {
  readonly database: Database
  readonly blobs: Blobs
  readonly services: readonly string[]
  /** Columns to omit: their ciphertext is useless elsewhere. */
  readonly sealed: readonly SealedColumn[]
  /** Writes a file of the export; the path is relative. */
  readonly write: (path: string, content: AsyncIterable<string | Uint8Array>) => Promise<void>
}

export interface TenantExported {
  readonly rows: number
  readonly blobs: number
}

/** Exports a snapshot of the rows of a tenant as JSON Lines, one file per table, and its blobs. */
export async function exportTenant(tenant: string, options: ExportTenant): Promise<TenantExported> {
  const { database, blobs, services, sealed, write } = options
  let rows = 0
  await database.transaction(async (db) => {
    await store.asOfNow(db)
    for (const table of await tenantTables(db)) {
      const without = sealed.filter((column) => column.table === table.table).map(({ column }) => column)
      if (await store.open(db, table, tenant, without)) await write(`rows/${table.table}.jsonl`, counted(linesOf(db)))
      await store.close(db)
    }
  })
  async function* counted(lines: AsyncIterable<string>) {
    for await (const line of lines) {
      rows++
      yield `${line}\n`
    }
  }
  let count = 0
  for (const service of services)
    for await (const key of keysUnder(blobs, blobPrefix(service, tenant))) {
      await write(`blobs/${key}`, (await blobs.get(key)).body)
      count++
    }
  return { rows, blobs: count }
}

async function* linesOf(db: Db): AsyncGenerator<string> {
  for (let page = await store.next(db); page.length > 0; page = await store.next(db)) yield* page
}

async function* keysUnder(blobs: Blobs, prefix: string): AsyncGenerator<string> {
  let after: string | undefined
  do {
    const { items, next }: Awaited<ReturnType<Blobs['list']>> = await blobs.list(prefix, {
      limit: 1000,
      ...(after !== undefined && { after }),
    })
    for (const { key } of items) yield key
    after = next
  } while (after !== undefined)
}
