import { canonicalName, namesOf, type Owner, registryKeys } from '@icosa/dialects/signed/resource-name'
import { type ReadingDb, registered, sql } from '@icosa/kernel'
import type { TagMap } from '../shapes/tags.ts'

/** A resource of another service. */
export interface RegisteredResource {
  readonly service: string
  readonly id: string
  readonly type: string
  readonly name: string
  readonly tags: TagMap
}

/** Finds a resource of the owner by its name in any spelling. */
export async function resourceOf(db: ReadingDb, owner: Owner, text: string): Promise<RegisteredResource | undefined> {
  const name = canonicalName(owner, text)
  if (name === undefined) return undefined
  const rows = await db.many<RegisteredResource>(sql`
    select service, id, type, name, tags from ${registered(owner.tenant)} r
    where key = any(${registryKeys(name)}::text[])`)
  return rows.find((row) => namesOf(owner, row).includes(name))
}

/** All resources of a tenant of these types. */
export function listByTypes(db: ReadingDb, tenant: string, types: readonly string[]): Promise<RegisteredResource[]> {
  return db.many(sql`
    select service, id, type, name, tags from ${registered(tenant)} r where type = any(${types}::text[]) order by key`)
}
