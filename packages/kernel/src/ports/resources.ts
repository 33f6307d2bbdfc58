import type { Clock } from '../clock/clock.ts'
import { type Db, type Sql, sql } from '../db/db.ts'
import { Failure } from '../errors.ts'

/** Registry entry of a tenant's resource. */
export interface ResourceEntry {
  /** Public ID: a path or an ARN. */
  readonly id: string
  readonly type: string
  readonly name: string
  readonly scope?: string | undefined
  readonly location?: string | undefined
  readonly tags?: Readonly<Record<string, string>> | undefined
}

/** One service's write access to the registry for one tenant, in the transaction that writes its own row. */
export interface ResourcesOf {
  /** Registers or updates a resource. */
  put(entry: ResourceEntry): Promise<void>
  /** No effect if it is missing or belongs to another service. */
  remove(id: string): Promise<void>
}

export function resourcesIn(db: Db, clock: Pick<Clock, 'now'>, service: string, tenant: string): ResourcesOf {
  return {
    async put({ id, type, name, scope, location, tags = {} }) {
      const now = clock.now()
      const statement = sql`
        insert into icosa.resources as r (tenant, key, id, service, type, name, scope, location, tags, created_at, updated_at)
        values (${tenant}, lower(${id}), ${id}, ${service}, ${type}, ${name}, ${scope ?? null},
          ${location ?? null}, ${JSON.stringify(tags)}, ${now}, ${now})
        on conflict (tenant, key) do update set name = excluded.name, scope = excluded.scope,
          location = excluded.location, tags = excluded.tags, updated_at = excluded.updated_at
        where r.service = excluded.service`
      const rows = await db.run(statement).catch(asLimit)
      if (rows === 0) throw new Error(`${id} is registered by another service than ${service}.`)
    },
    remove: async (id) =>
      void (await db.run(sql`
        delete from icosa.resources where tenant = ${tenant} and key = lower(${id}) and service = ${service}`)),
  }
}

/** SQLSTATE with which the database refuses resources beyond the operator's limit. */
const limitState = 'IC001'

export function asLimit(error: Error & { readonly code?: string }): never {
  throw error.code === limitState ? new Failure('limitReached', error.message, { cause: error }) : error
}

/**
 * Resources of a tenant, of all services, for stores that read the registry: `from ${registered(tenant)} as r`. `key`
 * is the lower-case ID. A resource that was deleted and created again differs in `created_at`.
 */
export const registered = (tenant: string): Sql => sql`
  (select key, id, service, type, name, scope, location, tags, created_at, updated_at
    from icosa.resources where tenant = ${tenant})`
