import type { Clock } from './clock/clock.ts'
import { type Db, sql } from './db/db.ts'

/** Something that a tenant has: what a service tells the rest of the platform of it. */
export interface ResourceEntry {
  /** By which the service's callers know it: a path or an ARN. */
  readonly id: string
  readonly type: string
  readonly name: string
  readonly scope?: string | undefined
  readonly location?: string | undefined
  readonly tags?: Readonly<Record<string, string>> | undefined
}

/** Notes a resource, or what has changed of it, in the transaction that writes the service's own row. */
export async function registerResource(
  db: Db,
  clock: Clock,
  owner: { readonly tenant: string; readonly service: string },
  { id, type, name, scope, location, tags = {} }: ResourceEntry,
): Promise<void> {
  const now = clock.now()
  await db.run(sql`
    insert into icosa.resources (tenant, key, id, service, type, name, scope, location, tags, created_at, updated_at)
    values (${owner.tenant}, lower(${id}), ${id}, ${owner.service}, ${type}, ${name}, ${scope ?? null},
      ${location ?? null}, ${JSON.stringify(tags)}, ${now}, ${now})
    on conflict (tenant, key) do update set name = excluded.name, scope = excluded.scope,
      location = excluded.location, tags = excluded.tags, updated_at = excluded.updated_at`)
}

export async function unregisterResource(db: Db, tenant: string, id: string): Promise<void> {
  await db.run(sql`delete from icosa.resources where tenant = ${tenant} and key = lower(${id})`)
}
