import { notFound, type ReadingDb, registered, sql } from '@icosa/kernel'
import { arnOfResource, type Owner, registryKeys } from '../shapes/arns.ts'
import type { TagMap } from '../shapes/tags.ts'

/** What another service has told the platform of. */
export interface RegisteredResource {
  readonly service: string
  readonly id: string
  readonly type: string
  readonly name: string
  readonly tags: TagMap
}

/** The resource of an ARN, if the owner has such a one. */
export function resourceOf(db: ReadingDb, owner: Owner, arn: string): Promise<RegisteredResource | undefined> {
  return db.maybe(sql`
    select service, id, type, name, tags from ${registered(owner.tenant)} r
    where key = any(${registryKeys(owner, arn)}::text[]) limit 1`)
}

/** All that an owner has of certain types. */
export function supported(db: ReadingDb, tenant: string, types: readonly string[]): Promise<RegisteredResource[]> {
  return db.many(sql`
    select service, id, type, name, tags from ${registered(tenant)} r where type = any(${types}::text[]) order by key`)
}

/** The ARN as recovery points have it, of a resource that is there or was; one of another account is not. */
export async function arnOfOwn(db: ReadingDb, owner: Owner, arn: string): Promise<string> {
  if (registryKeys(owner, arn).length === 0) notFound('resource', arn)
  const there = await resourceOf(db, owner, arn)
  return there ? arnOfResource(owner, there) : arn
}
