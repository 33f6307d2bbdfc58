import { type Db, sql } from '@icosa/kernel'
import { keysOf, type Synthetic } from './synthetic.ts'

/** Inserts contributions in batches of thousands. */
export async function insertAll(db: Db, tenant: string, all: Iterable<Synthetic>): Promise<void> {
  let batch: Synthetic[] = []
  for (const contribution of all) {
    batch.push(contribution)
    if (batch.length === 5_000) {
      await insertBatch(db, tenant, batch)
      batch = []
    }
  }
  if (batch.length > 0) await insertBatch(db, tenant, batch)
  await db.run(sql`analyze contribution_collection.contributions`)
}

async function insertBatch(db: Db, tenant: string, batch: readonly Synthetic[]): Promise<void> {
  const rows = batch.map((contribution) => ({
    ...contribution,
    words: keysOf(tenant, contribution.words),
    latitude: contribution.point?.latitude ?? null,
    longitude: contribution.point?.longitude ?? null,
    place: contribution.point && {
      latLong: contribution.point,
      ...(contribution.country && { country: contribution.country }),
    },
  }))
  await db.run(sql`
    insert into contribution_collection.contributions (tenant, id, assignment, author, owner, state, is_public, created_at,
      headline, attribution, url_words, words, country, cell, cell_precision, latitude, longitude, place, media_types,
      authority)
    overriding system value
    select ${tenant}, r.id, r.assignment, r.author, r.owner, r.state, r."isPublic", r."createdAt", r.headline, '',
      r."urlWords", r.words, r.country, r.cell, r."cellPrecision", r.latitude, r.longitude, r.place, r."mediaTypes", 'test'
    from json_to_recordset(${JSON.stringify(rows)}::json) as r (id bigint, assignment bigint, author text, owner text,
      state text, "isPublic" boolean, "createdAt" timestamptz, headline text, "urlWords" text, words bigint[], country text,
      cell text, "cellPrecision" smallint, latitude float8, longitude float8, place jsonb, "mediaTypes" text[])`)
}
