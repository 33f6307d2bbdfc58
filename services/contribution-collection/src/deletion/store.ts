import { type Db, type ReadingDb, sql } from '@icosa/kernel'

/** In id order. */
export async function contributionsOf(
  db: ReadingDb,
  tenant: string,
  assignment: string,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<string[]> {
  const rows = await db.many<{ id: string }>(sql`
    select id::text as id from contribution_collection.contributions
    where tenant = ${tenant} and assignment = ${assignment} and id > ${after} order by id limit ${limit}`)
  return rows.map(({ id }) => id)
}

/** With its likes, flags, moderations, files and form responses. */
export async function removeContribution(db: Db, tenant: string, id: string): Promise<void> {
  // Hidden first, which updates the tallies: contributions to a deleted assignment may still be public.
  await db.run(sql`
    update contribution_collection.contributions set is_public = false
    where tenant = ${tenant} and id = ${id} and is_public`)
  await db.run(sql`delete from contribution_collection.contributions where tenant = ${tenant} and id = ${id}`)
  // Events contain its text. Subscribers still get the deletion event.
  await db.run(sql`
    delete from contribution_collection.events
    where tenant = ${tenant} and contribution = ${id} and type <> 'contribution-deleted'`)
}

/** False while it still has contributions. */
export async function removeAssignment(db: Db, tenant: string, id: string): Promise<boolean> {
  await db.run(sql`
    delete from contribution_collection.assignments as a where a.tenant = ${tenant} and a.id = ${id} and not exists (
      select from contribution_collection.contributions as c where c.tenant = a.tenant and c.assignment = a.id)`)
  const row = await db.maybe(sql`
    select from contribution_collection.assignments where tenant = ${tenant} and id = ${id}`)
  return row === undefined
}
