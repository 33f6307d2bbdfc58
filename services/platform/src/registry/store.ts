import { empty, type ReadingDb, registered, type Sql, sql } from '@icosa/kernel'

export interface RegistryFilter {
  readonly q?: string | undefined
  readonly tag?: { readonly key: string; readonly value?: string | undefined } | undefined
  readonly type?: string | undefined
}

export interface RegistryRow {
  readonly key: string
  readonly id: string
  readonly service: string
  readonly type: string
  readonly name: string
  readonly location: string | null
  readonly tags: Readonly<Record<string, string>>
  readonly createdAt: Date
  readonly updatedAt: Date
}

const tagged = ({ key, value }: NonNullable<RegistryFilter['tag']>): Sql =>
  value === undefined ? sql`and r.tags ? ${key}` : sql`and r.tags ->> ${key} = ${value}`

/** Resources in the order of their IDs, from `after` on. */
export function find(
  db: ReadingDb,
  tenant: string,
  { q, tag, type }: RegistryFilter,
  after: string,
  limit: number,
): Promise<RegistryRow[]> {
  return db.many<RegistryRow>(sql`
    select key, id, service, type, name, location, tags, created_at as "createdAt", updated_at as "updatedAt"
    from ${registered(tenant)} as r
    where key > ${after} ${q === undefined ? empty : sql`and position(lower(${q}) in lower(r.name)) > 0`}
      ${tag ? tagged(tag) : empty} ${type === undefined ? empty : sql`and r.type = ${type}`}
    order by key limit ${limit}`)
}
