import { type Db, type ReadingDb, sql } from '@icosa/kernel'

/** In the order of their ids. */
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
  // Hidden first, so that tallies know of it: of an assignment that is deleted, some are still public.
  await db.run(sql`
    update contribution_collection.contributions set is_public = false
    where tenant = ${tenant} and id = ${id} and is_public`)
  await db.run(sql`delete from contribution_collection.contributions where tenant = ${tenant} and id = ${id}`)
  // What subscribers are told holds its text; that it was deleted, they still have to hear.
  await db.run(sql`
    delete from contribution_collection.events
    where tenant = ${tenant} and contribution = ${id} and type <> 'contribution-deleted'`)
}

/** False if something is left that was sent to it. */
export async function removeAssignment(db: Db, tenant: string, id: string): Promise<boolean> {
  await db.run(sql`
    delete from contribution_collection.assignments as a where a.tenant = ${tenant} and a.id = ${id} and not exists (
      select from contribution_collection.contributions as c where c.tenant = a.tenant and c.assignment = a.id)`)
  const left = await db.maybe(sql`
    select from contribution_collection.assignments where tenant = ${tenant} and id = ${id}`)
  return left === undefined
}
