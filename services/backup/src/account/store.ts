import { type Db, type ReadingDb, sql } from '@icosa/kernel'

export type Preferences = Readonly<Record<string, boolean>>

/** Opt-in preferences by resource type; a type that is missing is opted in. */
export async function preferences(db: ReadingDb, tenant: string): Promise<Preferences> {
  const row = await db.maybe<{ preferences: Preferences }>(sql`
    select opt_in as preferences from backup.accounts where tenant = ${tenant}`)
  return row?.preferences ?? {}
}

export async function optedOut(db: ReadingDb, tenant: string): Promise<ReadonlySet<string>> {
  const all = Object.entries(await preferences(db, tenant))
  return new Set(all.flatMap(([type, isOptedIn]) => (isOptedIn ? [] : [type])))
}

export async function setPreferences(db: Db, tenant: string, preferences: Preferences): Promise<void> {
  await db.run(sql`
    insert into backup.accounts as a (tenant, opt_in) values (${tenant}, ${JSON.stringify(preferences)})
    on conflict (tenant) do update set opt_in = a.opt_in || excluded.opt_in`)
}
