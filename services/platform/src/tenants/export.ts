import { type Blobs, blobPrefix, type Database, type Db, type SealedColumn } from '@icosa/kernel'
import * as store from './export-store.ts'
import { tenantTables } from './store.ts'

export interface ExportTenant {
  readonly database: Database
  readonly blobs: Blobs
  /** The services whose blobs are looked for. */
  readonly services: readonly string[]
  /** Values of these columns are left out: nobody elsewhere could open them. */
  readonly sealed: readonly SealedColumn[]
  /** Takes a file of the export, by a path below its folder. */
  readonly write: (path: string, content: AsyncIterable<string | Uint8Array>) => Promise<void>
}

export interface TenantExported {
  readonly rows: number
  readonly blobs: number
}

/** All rows of a tenant as lines of JSON, one file for each table, as they were at one moment; and its blobs. */
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
  for (let some = await store.next(db); some.length > 0; some = await store.next(db)) yield* some
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
