import { type Db, type ReadingDb, sql } from '@icosa/kernel'

export type Preferences = Readonly<Record<string, boolean>>

/** Which types a tenant wants its plans to back up; those that it does not name, it wants. */
export async function preferences(db: ReadingDb, tenant: string): Promise<Preferences> {
  const row = await db.maybe<{ preferences: Preferences }>(sql`
    select opt_in as preferences from backup.accounts where tenant = ${tenant}`)
  return row?.preferences ?? {}
}

export async function optedOut(db: ReadingDb, tenant: string): Promise<ReadonlySet<string>> {
  const all = Object.entries(await preferences(db, tenant))
  return new Set(all.flatMap(([type, isWanted]) => (isWanted ? [] : [type])))
}

export async function setPreferences(db: Db, tenant: string, changed: Preferences): Promise<void> {
  await db.run(sql`
    insert into backup.accounts as a (tenant, opt_in) values (${tenant}, ${JSON.stringify(changed)})
    on conflict (tenant) do update set opt_in = a.opt_in || excluded.opt_in`)
}
