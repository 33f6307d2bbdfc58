import { type ReadingDb, sql } from '@icosa/kernel'
import { ownRows, type RowsOf } from '@icosa/module/rows'

export const appTable = 'language_authoring.apps'
export const versionTable = 'language_authoring.versions'
export const utteranceTable = 'language_authoring.utterances'
export const slotTable = 'language_authoring.slots'

/**
 * An app with its versions, their utterances, and its slots. Rows of a version refer to it by id, since a restore changes
 * its uid. Query logs are not backed up.
 */
export function rowsOf(tenant: string, app: string): RowsOf[] {
  const inApp = sql`tenant = ${tenant} and app = ${app}`
  return [
    ownRows(appTable, sql`tenant = ${tenant} and id = ${app}`, 'id', ['tenant', 'id', 'name', 'restored_by']),
    ownRows(versionTable, inApp, 'id', ['tenant', 'app', 'uid', 'training_progress']),
    {
      table: utteranceTable,
      rows: sql`
        select to_jsonb(u) - ${['tenant', 'version']}::text[] || jsonb_build_object('version_id', v.id) as line
        from language_authoring.utterances as u join language_authoring.versions as v
          on v.tenant = u.tenant and v.uid = u.version
        where v.tenant = ${tenant} and v.app = ${app} order by v.id, u.id`,
    },
    {
      table: slotTable,
      rows: sql`
        select to_jsonb(s) - ${['tenant', 'app', 'version']}::text[] || jsonb_build_object('isThere', exists (
          select from language_authoring.versions as v where v.tenant = s.tenant and v.uid = s.version)) as line
        from language_authoring.slots as s where tenant = ${tenant} and app = ${app} order by slot`,
    },
  ]
}

/** Whether any tenant has an app with this id. */
export async function isTaken(db: ReadingDb, id: string): Promise<boolean> {
  return (await db.maybe(sql`select from language_authoring.apps where id = ${id}`)) !== undefined
}

/** Finds the app that a restore has already created. */
export async function restoredBy(db: ReadingDb, tenant: string, restore: string): Promise<string | undefined> {
  const row = await db.maybe<{ id: string }>(sql`
    select id from language_authoring.apps where tenant = ${tenant} and restored_by = ${restore}`)
  return row?.id
}
