import { type Db, type ReadingDb, sql } from '@icosa/kernel'
import type { Slot } from '../apps/store.ts'
import type { Version } from '../versions/store.ts'

export interface NewSlot {
  readonly slot: Slot['slot']
  readonly sentimentAnalysis: boolean
}

export async function put(
  db: Db,
  tenant: string,
  version: Version,
  { slot, sentimentAnalysis }: NewSlot,
  now: Date,
): Promise<Slot> {
  await db.run(sql`
    insert into language_authoring.slots (tenant, app, slot, version_id, version, model, sentiment_analysis, published_at)
    values (${tenant}, ${version.app}, ${slot}, ${version.id}, ${version.uid}, ${version.model}, ${sentimentAnalysis},
      ${now})
    on conflict (tenant, app, slot) do update set version_id = excluded.version_id, version = excluded.version,
      model = excluded.model, sentiment_analysis = excluded.sentiment_analysis, published_at = excluded.published_at`)
  await db.run(sql`
    update language_authoring.versions set published_at = ${now} where tenant = ${tenant} and uid = ${version.uid}`)
  return { app: version.app, slot, versionId: version.id, publishedAt: now }
}

/** Returns an app's models that a version or slot uses. */
export async function modelsInUse(db: ReadingDb, tenant: string, app: string): Promise<Set<string>> {
  const rows = await db.many<{ model: string }>(sql`
    select model from language_authoring.versions where tenant = ${tenant} and app = ${app} and model is not null
    union select model from language_authoring.slots where tenant = ${tenant} and app = ${app}`)
  return new Set(rows.map(({ model }) => model))
}
