import type { Clock } from '../clock/clock.ts'
import { type Db, type Sql, sql } from '../db/db.ts'
import { Failure } from '../errors.ts'
import { isSubscribed, publish } from './events.ts'

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

/** Event types of changes to registered resources. */
const resourceEventTypes = {
  created: 'icosa.resource.v1.created',
  updated: 'icosa.resource.v1.updated',
  deleted: 'icosa.resource.v1.deleted',
} as const

interface Changed {
  readonly id: string
  readonly key: string
  readonly type: string
  readonly name: string
  readonly scope: string | null
  readonly location: string | null
  readonly tags: object
  readonly isNew: boolean
  readonly isWanted: boolean
}

const changed = sql`id, key, type, name, scope, location, tags`

/** Every change is also an event, for tenants with a subscription. `touched` receives the queues to wake. */
export function resourcesIn(
  db: Db,
  clock: Pick<Clock, 'now'>,
  service: string,
  tenant: string,
  touched: Set<string> = new Set(),
): ResourcesOf {
  async function report(eventType: string, { isNew, isWanted, ...row }: Changed, at: Date): Promise<void> {
    if (!isWanted) return
    const { id, key, tags, type, ...details } = row
    const attributes = { source: `/${service}`, subject: id, service, resourcetype: type, ...present(details) }
    const data = { id, service, type, ...details, tags }
    for (const queue of await publish(db, [{ tenant, type: eventType, key, attributes, data, at }])) touched.add(queue)
  }

  return {
    async put({ id, type, name, scope, location, tags = {} }) {
      const now = clock.now()
      const { created, updated } = resourceEventTypes
      const row = await db
        .maybe<Changed>(sql`
          insert into icosa.resources as r (tenant, key, id, service, type, name, scope, location, tags, created_at,
            updated_at)
          values (${tenant}, lower(${id}), ${id}, ${service}, ${type}, ${name}, ${scope ?? null},
            ${location ?? null}, ${JSON.stringify(tags)}, ${now}, ${now})
          on conflict (tenant, key) do update set name = excluded.name, scope = excluded.scope,
            location = excluded.location, tags = excluded.tags, updated_at = excluded.updated_at
          where r.service = excluded.service
          returning ${changed}, xmax = 0 as "isNew", ${isSubscribed(sql`r.tenant`, [created, updated])} as "isWanted"`)
        .catch(asLimit)
      if (!row) throw new Error(`${id} is registered by another service than ${service}.`)
      await report(row.isNew ? created : updated, row, now)
    },
    async remove(id) {
      const { deleted } = resourceEventTypes
      const row = await db.maybe<Changed>(sql`
        delete from icosa.resources as r where tenant = ${tenant} and key = lower(${id}) and service = ${service}
        returning ${changed}, false as "isNew", ${isSubscribed(sql`r.tenant`, [deleted])} as "isWanted"`)
      if (row) await report(deleted, row, clock.now())
    },
  }
}

const present = (values: Readonly<Record<string, string | null>>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).flatMap(([name, value]) => (value === null ? [] : [[name, value]])))

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
