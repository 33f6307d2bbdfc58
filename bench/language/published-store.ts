import { type Database, sql } from '@icosa/kernel'

/** Blobs of the apps' trained models, in the order of the apps. */
export async function trainedModels(database: Database, tenant: string, apps: readonly string[]): Promise<string[]> {
  const rows = await database.many<{ app: string; model: string }>(sql`
    select app, model from language_authoring.versions where tenant = ${tenant} and model is not null`)
  const models = new Map(rows.map(({ app, model }) => [app, model]))
  return apps.map((app) => models.get(app) as string)
}

/** Marks the app as trained to this blob, and published. */
export async function publishAs(database: Database, tenant: string, app: string, model: string): Promise<void> {
  await database.run(sql`
    with version as (
      update language_authoring.versions set model = ${model}, training_status = 'succeeded', trained_revision = revision
      where tenant = ${tenant} and app = ${app} returning id, uid)
    insert into language_authoring.slots (tenant, app, slot, version_id, version, model, sentiment_analysis, published_at)
    select ${tenant}, ${app}, 'production', id, uid, ${model}, false, now() from version`)
}
