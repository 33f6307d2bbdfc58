import type { Clock } from './clock/clock.ts'
import { type Db, type Sql, sql } from './db/db.ts'
import { Failure } from './errors.ts'

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

/** The registry as one service writes it for one tenant, in the transaction that writes the service's own row. */
export interface ResourcesOf {
  /** Notes a resource, or what has changed of it. */
  put(entry: ResourceEntry): Promise<void>
  /** Nothing happens if it is not there, or another service's. */
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
      const written = await db.run(statement).catch(asLimit)
      if (written === 0) throw new Error(`Another service than ${service} has registered ${id}.`)
    },
    remove: async (id) =>
      void (await db.run(sql`
        delete from icosa.resources where tenant = ${tenant} and key = lower(${id}) and service = ${service}`)),
  }
}

/** With which the database refuses what is beyond the number that an operator allows. */
const limitState = 'IC001'

export function asLimit(error: Error & { readonly code?: string }): never {
  throw error.code === limitState ? new Failure('limitReached', error.message, { cause: error }) : error
}

/**
 * What a tenant has, of all services, for the stores of those that read the registry: `from ${registered(tenant)} as r`.
 * `key` is the id in lower case. A resource that was deleted and made again differs in `created_at`.
 */
export const registered = (tenant: string): Sql => sql`
  (select key, id, service, type, name, scope, location, tags, created_at, updated_at
    from icosa.resources where tenant = ${tenant})`
