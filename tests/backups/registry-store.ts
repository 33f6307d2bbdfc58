import { type Database, registered, sql } from '@icosa/kernel'

export interface Registered {
  readonly id: string
  readonly service: string
  readonly type: string
  readonly tags: Readonly<Record<string, string>>
}

export function resourcesOf(database: Database, tenant: string): Promise<Registered[]> {
  return database.many(sql`select id, service, type, tags from ${registered(tenant)} as r order by key`)
}
