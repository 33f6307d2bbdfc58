import { type Db, type ReadingDb, sql } from '@icosa/kernel'
import type { InputDefinition } from '../models/contract.ts'

/** Increments the version of a tenant's catalog, which serializes changes of inputs and models. */
export async function raiseVersion(db: Db, tenant: string): Promise<void> {
  await db.run(sql`
    insert into event_detection.catalogs as catalog (tenant, version) values (${tenant}, 1)
    on conflict (tenant) do update set version = catalog.version + 1`)
}

/** Inputs and models of a tenant, for routing. */
export interface CatalogRow {
  readonly version: string
  readonly inputs: readonly { readonly name: string; readonly definition: InputDefinition }[]
  readonly models: readonly {
    readonly id: string
    readonly keyAttribute: string | null
    readonly inputs: readonly string[]
  }[]
}

/** Reads a consistent snapshot in one statement. */
export function read(db: ReadingDb, tenant: string): Promise<CatalogRow> {
  return db.one(sql`
    select coalesce((select version from event_detection.catalogs where tenant = ${tenant}), 0)::text as version,
      (select coalesce(json_agg(json_build_object('name', name, 'definition', definition)), '[]')
        from event_detection.inputs where tenant = ${tenant}) as inputs,
      (select coalesce(json_agg(json_build_object('id', id::text, 'keyAttribute', key_attribute, 'inputs', inputs)), '[]')
        from event_detection.models where tenant = ${tenant}) as models`)
}

export async function versionOf(db: ReadingDb, tenant: string): Promise<string> {
  const row = await db.maybe<{ version: string }>(
    sql`select version::text from event_detection.catalogs where tenant = ${tenant}`,
  )
  return row?.version ?? '0'
}
