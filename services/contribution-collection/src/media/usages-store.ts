import { type ReadingDb, sql } from '@icosa/kernel'

export interface MediaRow {
  readonly id: string
  readonly owner: string
  readonly type: string
  readonly duration: number | null
  readonly place: unknown
  readonly variants: readonly Variant[]
}

/** A rendition of a file. */
export interface Variant {
  readonly label: string
  readonly contentType: string
  readonly size: number
  readonly crc32?: number
  readonly width?: number
  readonly height?: number
  readonly blob: string
}

export interface UsageRow extends MediaRow {
  readonly usage: string
  readonly contribution: string
}

/** Files of contributions, in order. */
export function usagesOf(db: ReadingDb, tenant: string, contributions: readonly string[]): Promise<UsageRow[]> {
  return db.many(sql`
    select u.id::text as usage, u.contribution::text as contribution, m.id::text as id, m.owner, m.type, m.duration,
      m.place, m.variants
    from contribution_collection.media_usages as u
    join contribution_collection.media as m on m.tenant = u.tenant and m.id = u.media
    where u.tenant = ${tenant} and u.contribution = any(${contributions}::bigint[])
    order by u.contribution, u.position`)
}

export function mediaByIds(db: ReadingDb, tenant: string, ids: readonly string[]): Promise<MediaRow[]> {
  return db.many(sql`
    select id::text as id, owner, type, duration, place, variants from contribution_collection.media
    where tenant = ${tenant} and id = any(${ids}::bigint[])`)
}
