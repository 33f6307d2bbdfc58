import { type ReadingDb, registered, sql } from '@icosa/kernel'
import { type Owner, registryKeys } from '../shapes/arns.ts'
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
